import { useSignal, useSignalEffect } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { useStore } from '../controls/use-store.ts'
import { ApiError } from '../../cli/client/errors.ts'
import { Button } from '../controls/button.tsx'
import { endOf } from '../command/end-of.ts'
import { runSample } from '../commands/actions.ts'
import { createChecker, isBlank } from '../draft/checker.ts'
import { draftFrom, emptyDraft, missingFiles, requestOf, withFile } from '../draft/draft.ts'
import { workOf } from '../draft/draft-store.ts'
import { failureOf } from '../draft/failure.ts'
import { inputMbytes, uploadingNames, withUploads } from '../draft/input-files.ts'
import { attempt, reasonOf, say } from '../parts/notices.ts'
import { go, route } from '../shell/navigation.ts'
import { usage } from '../shell/service.ts'
import { uploads as uploadsOfAccount } from '../uploads/uploads.ts'
import { CommandsPart } from './commands-part.tsx'
import { InputsPart } from './inputs-part.tsx'
import { OptionsPart } from './options-part.tsx'
import { OutputsPart } from './outputs-part.tsx'
import { ProblemList } from './problem-list.tsx'
import { FeaturedRecipes, RecipesMenu } from './recipes-menu.tsx'
import { ResultPart } from './result-part.tsx'
import { RunBar } from './run-bar.tsx'
import { runStep } from './run-state.ts'
import { ShowAs } from './show-as.tsx'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Draft } from '../draft/draft.ts'
import type { RunFacts } from './run-state.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  /** `from`: a command whose request is opened here; without it, the draft as it was. */
  readonly query: URLSearchParams
}

/** Draft on the left, results on the right. */
export function PlaygroundPage({ client, profileId, query }: Props) {
  const from = query.get('from')
  const work = useMemo(() => workOf(profileId), [profileId])
  const checker = useStore(() => createChecker(client, work.draft), [client, work])
  const isSending = useSignal(false)
  /** The command is submitted once its files are uploaded. */
  const isArmed = useSignal(false)
  const draft = work.draft.value
  const change = (next: Draft) => {
    work.draft.value = next
    isArmed.value = false
  }
  useOpened(client, from, (record) => {
    const { original_request: request } = record
    if (request === null) {
      say('The service has deleted the request of this command, so it cannot be opened.', true)
    } else {
      change(draftFrom(request))
      work.runId.value = null
      note(record)
      // Before sending, the same is looked at again, and then says why it failed.
      checker.hasFiles().catch(() => undefined)
    }
    go({ page: 'playground' }, 'replace')
  })

  const uploads = uploadsOfAccount.value
  const list = uploads?.list.value ?? []
  useSignalEffect(() => {
    const all = uploadsOfAccount.value?.list.value ?? []
    work.draft.value = withUploads(work.draft.value, all)
  })
  const take = useCallback(
    (files: readonly File[]) => {
      if (uploads === null) {
        say('The service has not answered yet. Drop the files again in a moment.', true)
        return
      }
      for (const file of files) {
        const { id } = uploads.add(file, work.draft.peek().options.isPrivate)
        const now = work.draft.peek()
        if (now.inputs.some((input) => input.file?.upload === id)) continue
        const chosen = { name: file.name, mbytes: file.size / 1_048_576, upload: id }
        work.draft.value = withFile(now, { url: '', file: chosen })
      }
    },
    [uploads, work],
  )

  const problems = checker.problems.value
  const facts: RunFacts = {
    isBlank: isBlank(draft),
    missing: missingFiles(draft),
    uploading: uploadingNames(draft),
    isSending: isSending.value,
    isArmed: isArmed.value,
    wrong: problems.filter(({ tone }) => tone === 'bad').length,
    planError: checker.planError.value,
    isAway: checker.isAway.value,
    isChecked: checker.isChecked.value,
  }

  const send = async () => {
    work.runId.value = (await client.submit(requestOf(work.draft.peek()))).command_id
    // Below the draft on narrow screens.
    document.querySelector('.result')?.scrollIntoView({ block: 'nearest' })
  }
  const submit = async () => {
    isArmed.value = false
    isSending.value = true
    work.failure.value = null
    try {
      if (await checker.hasFiles()) await send()
    } catch (error) {
      if (error instanceof ApiError && (error.mistakes.length > 0 || error.status === 403)) {
        checker.refuse(error)
      } else say(reasonOf(error), true)
    }
    isSending.value = false
  }
  const run = () => {
    const step = runStep(facts)
    if (step === 'arm') isArmed.value = true
    if (step === 'submit') void submit()
  }
  useEffect(() => {
    if (isArmed.value && facts.uploading.length === 0) void submit()
  }, [isArmed.value, facts.uploading.length])

  /** Keeps where FFmpeg's error stands, so that the editor marks it. */
  function note(record: CommandStatusRecord): void {
    work.failure.value = failureOf(record) ?? work.failure.value
  }
  const sample = () =>
    attempt(async () => {
      const id = await runSample(client)
      const record = await endOf(client, id)
      const file = record.output_files?.['out_1']
      const url = file?.storage_url ?? null
      if (file === undefined || url === null)
        throw new Error(record.error_message ?? 'The sample has failed.')
      const chosen = { name: 'sample.mp4', mbytes: file.size_mbytes, upload: null }
      work.draft.value = withFile(work.draft.peek(), { url, file: chosen })
      return 'The sample clip is an input now.'
    })

  return (
    <div class="playground">
      <header class="page-head">
        <h1>Playground</h1>
        <RecipesMenu draft={draft} use={change} />
        <Button
          look="quiet"
          onClick={() => {
            change(emptyDraft)
            work.runId.value = null
            work.failure.value = null
          }}
        >
          Clear
        </Button>
        <span class="space" />
        <RunBar facts={facts} run={run} disarm={() => (isArmed.value = false)} />
      </header>
      <div class="panes">
        <div class="pane">
          <InputsPart
            client={client}
            draft={draft}
            problems={problems}
            uploads={list}
            refusal={refusal()}
            change={change}
            take={take}
            useSample={() => void sample()}
          />
          {facts.isBlank && <FeaturedRecipes draft={draft} use={change} />}
          <CommandsPart
            draft={draft}
            problems={problems}
            failure={work.failure.value}
            change={change}
            run={run}
          />
          <OutputsPart draft={draft} problems={problems} change={change} />
          <OptionsPart draft={draft} problems={problems} change={change} />
          <ProblemList
            id="whole-problems"
            problems={problems.filter(({ field }) => field.kind === 'whole')}
          />
        </div>
        <div class="pane">
          <section class="part result" aria-label="Result">
            <h2>Result</h2>
            {work.runId.value === null ? (
              <p class="note">Outputs play here once the command has run.</p>
            ) : (
              <ResultPart
                key={work.runId.value}
                client={client}
                id={work.runId.value}
                inputMbytes={inputMbytes(draft)}
                failed={note}
              />
            )}
          </section>
          <ShowAs draft={draft} />
        </div>
      </div>
    </div>
  )
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
