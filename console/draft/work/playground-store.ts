import { computed, effect } from '@preact/signals'
import { ApiError } from '../../../cli/client/errors.ts'
import { browserEffects } from '../../../cli/client/browser-effects.ts'
import { endOf } from '../../command/end-of.ts'
import { runSample } from '../../commands/actions.ts'
import { attempt, reasonOf, say } from '../../parts/notices.ts'
import { requestOf } from '../draft.ts'
import { withUploads } from '../input-files.ts'
import { createChecker } from '../problems/checker.ts'
import { runFacts, runStep } from './run-state.ts'
import { cleared, disarmed, edited, noted, opened, taken, withSample } from './work.ts'
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { CommandStatusRecord } from '../../../common/openapi/openapi-types.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Uploads } from '../../uploads/upload-store.ts'
import type { Draft } from '../draft.ts'
import type { Checker } from '../problems/checker.ts'
import type { Work } from './works.ts'

interface Deps {
  readonly client: Client
  readonly work: Signal<Work>
  /** null until the account is known. */
  readonly uploads: ReadonlySignal<Pick<Uploads, 'list' | 'add'> | null>
  /** Called once a command is submitted. */
  readonly onSent: () => void
  readonly clock?: Clock
}

/** Effects of the playground: it checks the draft, follows its uploads and runs it. */
export function createPlayground({ client, work, uploads, onSent, clock }: Deps) {
  const draft = computed(() => work.value.draft)
  const checker = createChecker(client, draft, clock ?? browserEffects.clock)
  const facts = computed(() =>
    runFacts(work.value, {
      problems: checker.problems.value,
      gone: checker.gone.value,
      planError: checker.planError.value,
      isAway: checker.isAway.value,
      isChecked: checker.isChecked.value,
    }),
  )
  const update = (change: Partial<Work>) => {
    work.value = { ...work.peek(), ...change }
  }
  const send = () => void submit({ client, work, onSent, checker })
  const stopUploads = effect(() => {
    const found = withUploads(draft.value, uploads.value?.list.value ?? [])
    if (found !== draft.value) update({ draft: found })
  })
  const stopArmed = effect(() => {
    if (facts.value.isArmed && facts.value.uploading.length === 0) send()
  })

  return {
    draft,
    facts,
    problems: checker.problems,
    edit: (next: Draft) => void (work.value = edited(work.peek(), next)),
    clear: () => void (work.value = cleared(work.peek())),
    disarm: () => void (work.value = disarmed(work.peek())),
    note: (record: CommandStatusRecord) => void (work.value = noted(work.peek(), record)),
    open: (record: CommandStatusRecord): void => {
      const next = opened(work.peek(), record)
      if (next === null) {
        say('The service has deleted the request of this command, so it cannot be opened.', true)
        return
      }
      work.value = next
      // The submission looks for deleted files again, and says then why that failed.
      checker.hasFiles().catch(() => undefined)
    },
    take: (files: readonly File[]): void => {
      const begun = uploads.peek()
      if (begun === null) {
        say('The service has not answered yet. Drop the files again in a moment.', true)
        return
      }
      for (const file of files) {
        const { id } = begun.add(file, draft.peek().options.isPrivate)
        update({ draft: taken(work.peek(), file, id) })
      }
    },
    takeSample: () =>
      attempt(async () => {
        const record = await endOf(client, await runSample(client))
        update({ draft: withSample(work.peek(), record) })
        return 'The sample clip is an input now.'
      }),
    run: (): void => {
      const step = runStep(facts.peek())
      if (step === 'arm') update({ phase: 'armed' })
      if (step === 'submit') send()
    },
    close: (): void => {
      stopUploads()
      stopArmed()
      checker.close()
      work.value = disarmed(work.peek())
    },
  }
}

interface Sending extends Pick<Deps, 'client' | 'work' | 'onSent'> {
  readonly checker: Checker
}

async function submit({ client, work, onSent, checker }: Sending): Promise<void> {
  const update = (change: Partial<Work>) => {
    work.value = { ...work.peek(), ...change }
  }
  update({ phase: 'sending', failure: null })
  try {
    if (await checker.hasFiles()) {
      const { command_id: runId } = await client.submit(requestOf(work.peek().draft))
      update({ runId })
      onSent()
    }
  } catch (error) {
    if (error instanceof ApiError && (error.mistakes.length > 0 || error.status === 403)) {
      checker.refuse(error)
    } else say(reasonOf(error), true)
  }
  update({ phase: 'editing' })
}
