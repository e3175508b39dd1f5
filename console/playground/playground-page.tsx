import { useEffect, useMemo } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { useStore } from '../controls/page-hooks.ts'
import { workOf } from '../draft/work/draft-store.ts'
import { inputMbytes } from '../draft/input-files.ts'
import { createPlayground } from '../draft/work/playground-store.ts'
import { reasonOf, say } from '../parts/notices.ts'
import { go, route } from '../shell/navigation.ts'
import { usage } from '../shell/service.ts'
import { uploads } from '../uploads/uploads.ts'
import { CommandsPart } from './parts/commands-part.tsx'
import { InputsPart } from './parts/inputs-part.tsx'
import { OptionsPart } from './parts/options-part.tsx'
import { OutputsPart } from './parts/outputs-part.tsx'
import { ProblemList } from './parts/problem-list.tsx'
import { FeaturedRecipes, RecipesMenu } from './parts/recipes-menu.tsx'
import { ResultPart } from './result-part.tsx'
import { RunBar } from './run-bar.tsx'
import { ShowAs } from './show-as.tsx'
import { useRunAddress } from './use-run-address.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  /** `from`: a command whose request is opened here; without it, the draft as it was. `run`: the command whose result is shown. */
  readonly query: URLSearchParams
}

/** Draft on the left, results on the right. */
export function PlaygroundPage({ client, profileId, query }: Props) {
  const work = useMemo(() => workOf(profileId), [profileId])
  const playground = useStore(
    () => createPlayground({ client, work, uploads, onSent: showResult }),
    [client, work],
  )
  useOpened(client, query.get('from'), (record) => {
    playground.open(record)
    go({ page: 'playground' }, 'replace')
  })
  useRunKey(playground.run)
  useRunAddress(work, query, showResult)
  const { draft, failure, runId } = work.value
  const problems = playground.problems.value
  const facts = playground.facts.value
  const shared = { draft, problems, change: playground.edit }
  return (
    <div class="playground column">
      <header class="page-head row">
        <h1>Playground</h1>
        <RecipesMenu draft={draft} use={playground.edit} />
        <Button look="quiet" onClick={playground.clear}>
          Clear
        </Button>
        <span class="space" />
        <RunBar facts={facts} run={playground.run} disarm={playground.disarm} />
      </header>
      <div class="panes">
        <div class="pane column">
          <InputsPart
            {...shared}
            client={client}
            uploads={uploads.value?.list.value ?? []}
            refusal={refusal()}
            take={playground.take}
            useSample={playground.takeSample}
          />
          {facts.isBlank && <FeaturedRecipes draft={draft} use={playground.edit} />}
          <CommandsPart {...shared} failure={failure} />
          <OutputsPart {...shared} />
          <OptionsPart {...shared} />
          <ProblemList
            id="whole-problems"
            problems={problems.filter(({ field }) => field.kind === 'whole')}
          />
        </div>
        <div class="pane column">
          <section class="part result column box" aria-label="Result">
            <h2>Result</h2>
            {runId === null ? (
              <p class="note">Outputs play here once the command has run.</p>
            ) : (
              <ResultPart
                key={runId}
                client={client}
                id={runId}
                inputMbytes={inputMbytes(draft)}
                failed={playground.note}
              />
            )}
          </section>
          <ShowAs draft={draft} />
        </div>
      </div>
    </div>
  )
}

/** Ctrl and Enter run the command from each field of the page, but not behind a dialog. */
function useRunKey(run: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [run])
}

/** On narrow screens, the result is below the draft. */
function showResult(): void {
  document.querySelector('.result')?.scrollIntoView({ block: 'nearest' })
}

/** Why files cannot be uploaded with this key; null where they can. */
function refusal(): string | null {
  const { features, plan } = usage.value ?? {}
  return features?.uploads === false ? `Plan ${plan} has no uploads` : null
}

/** Reads the command that the address names, once. */
function useOpened(
  client: Client,
  from: string | null,
  opened: (record: CommandStatusRecord) => void,
): void {
  useEffect(() => {
    if (from === null) return undefined
    const stop = new AbortController()
    // A page that was left is unmounted a frame later, and must not come back with the answer.
    const isLeft = () => {
      const now = route.peek()
      return stop.signal.aborted || now.page !== 'playground' || now.query.get('from') !== from
    }
    client.getCommand(from, {}, { signal: stop.signal }).then(
      (record) => {
        if (!isLeft()) opened(record)
      },
      (error: unknown) => {
        if (!isLeft()) say(reasonOf(error), true)
      },
    )
    return () => stop.abort()
  }, [client, from])
}
