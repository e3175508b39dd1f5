import { useSignal, useSignalEffect } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { ApiError } from '../../cli/client/errors.ts'
import { endOf } from '../command/end-of.ts'
import { runSample } from '../commands/actions.ts'
import { createChecker, isBlank } from '../draft/checker.ts'
import { draftFrom, emptyDraft, freeAlias, missingFiles, requestOf } from '../draft/draft.ts'
import { withFile, workOf } from '../draft/draft-store.ts'
import { attempt, reasonOf, say } from '../parts/notices.tsx'
import { go } from '../shell/navigation.ts'
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
import { ShowAs } from './show-as.tsx'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Draft, DraftInput } from '../draft/draft.ts'
import type { Upload } from '../uploads/upload-store.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  /** A command whose request is opened here; null: the draft as it was. */
  readonly from: string | null
}

/** What goes in on the left, what came out on the right. */
export function PlaygroundPage({ client, profileId, from }: Props) {
  const work = useMemo(() => workOf(profileId), [profileId])
  const checker = useMemo(() => createChecker(client, work.draft), [client, work])
  const isSending = useSignal(false)
  /** The command is submitted once its files are uploaded. */
  const isArmed = useSignal(false)
  useEffect(() => () => checker.close(), [checker])
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
      work.draft.value = draftFrom(request)
      work.runId.value = null
      note(record)
      // Before sending, the same is looked at again, and then says why it failed.
      checker.hasFiles().catch(() => undefined)
    }
    go({ page: 'playground', from: null }, 'replace')
  })

  const uploads = uploadsOfAccount.value
  const list = uploads?.list.value ?? []
  useSignalEffect(() => {
    const all = uploadsOfAccount.value?.list.value ?? []
    const now = work.draft.value
    const inputs = now.inputs.map((input) => withUrl(input, all))
    if (inputs.some((one, index) => one !== now.inputs[index]))
      work.draft.value = { ...now, inputs }
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
        const free = freeAlias(
          'in_',
          now.inputs.map(({ alias }) => alias),
        )
        const chosen = { name: file.name, mbytes: file.size / 1_048_576, upload: id }
        work.draft.value = withFile(now, { url: '', file: chosen }, free)
      }
    },
    [uploads, work],
  )

  const waitingFor = draft.inputs.flatMap(({ file }) => (file?.upload ? [file.name] : []))
  const missing = missingFiles(draft)
  const problems = checker.problems.value
  const isWrong = problems.some(({ tone }) => tone === 'bad')

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
    if (isBlank(draft) || missing.length > 0 || isSending.value) return
    if (waitingFor.length > 0) isArmed.value = true
    else void submit()
  }
  useEffect(() => {
    if (isArmed.value && waitingFor.length === 0) void submit()
  }, [isArmed.value, waitingFor.length])

  /** Keeps where FFmpeg's error stands, so that the editor marks it. */
  function note(record: CommandStatusRecord): void {
    const { original_request: request, steps } = record
    if (record.status !== 'FAILED' || request === null) return
    const texts = 'ffmpeg_commands' in request ? request.ffmpeg_commands : [request.ffmpeg_command]
    const index = steps.find(({ status }) => status === 'FAILED')?.index ?? 0
    const message = record.error_message ?? ''
    work.failure.value = { index, text: texts[index] ?? '', message }
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
      const now = work.draft.peek()
      const free = freeAlias(
        'in_',
        now.inputs.map(({ alias }) => alias),
      )
      work.draft.value = withFile(now, { url, file: chosen }, free)
      return 'The sample clip is an input now.'
    })

  const known = draft.inputs.map(({ file }) => file?.mbytes ?? null)
  const inputMbytes = known.includes(null)
    ? null
    : known.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  return (
    <div class="playground">
      <header class="page-head">
        <h1>Playground</h1>
        <RecipesMenu draft={draft} use={change} />
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            change(emptyDraft)
            work.runId.value = null
            work.failure.value = null
          }}
        >
          Clear
        </button>
        <span class="space" />
        <RunBar
          checker={checker}
          draft={draft}
          missing={missing}
          waitingFor={waitingFor}
          isWrong={isWrong}
          isSending={isSending.value}
          isArmed={isArmed.value}
          run={run}
          disarm={() => (isArmed.value = false)}
        />
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
          {isBlank(draft) && <FeaturedRecipes draft={draft} use={change} />}
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
                inputMbytes={inputMbytes}
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

/** The input with the URL of its upload, once that has ended. */
function withUrl(input: DraftInput, uploads: readonly Upload[]): DraftInput {
  const state = uploads.find(({ id }) => id === input.file?.upload)?.state.value
  if (state?.kind !== 'done' || input.file === null) return input
  const { storage_url: url, size_mbytes: mbytes } = state.file
  return { ...input, url: url ?? '', file: { ...input.file, mbytes, upload: null } }
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
    client.getCommand(from, {}, { signal: stop.signal }).then(opened, (error: unknown) => {
      if (!stop.signal.aborted) say(reasonOf(error), true)
    })
    return () => stop.abort()
  }, [client, from])
}
