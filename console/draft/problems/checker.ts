import { computed, effect, signal } from '@preact/signals'
import { ApiError } from '../../../cli/client/errors.ts'
import { browserEffects } from '../../../cli/client/browser-effects.ts'
import { isBlank, repeatedAliases, requestOf } from '../draft.ts'
import { createGoneInputs } from './gone-inputs.ts'
import { problemOf, warningOf } from './problems.ts'
import { sourceOf } from './source-of.ts'
import type * as sourceMistakesModule from '../../../common/command-line/plan/source-mistakes.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { Draft, DraftInput } from '../draft.ts'
import type { Problem } from './problems.ts'

type Rules = Pick<typeof sourceMistakesModule, 'sourceMistakes'>

/** The service is asked once nothing has been typed for this time. */
const quietMs = 400

interface Answer {
  /** The draft that was checked. */
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly planError: string | null
}

/**
 * Checks a draft twice by the same rules: the text at each key stroke in the browser, and the whole by
 * the service, which knows the plan, once the user pauses.
 */
export function createChecker(
  client: Client,
  draft: ReadonlySignal<Draft>,
  clock: Clock = browserEffects.clock,
) {
  const rules = signal<Rules | null>(null)
  const answer = signal<Answer | null>(null)
  const isAway = signal(false)
  const gone = createGoneInputs(client, draft)
  let stop = new AbortController()
  void import('../../../common/command-line/plan/source-mistakes.ts').then(
    (loaded) => (rules.value = loaded),
    // Without them the service alone checks.
    () => undefined,
  )

  const checked = computed(() =>
    answer.value?.draft === draft.value
      ? answer.value.problems
      : uncheckedProblems(draft.value, rules.value, answer.value?.problems ?? []),
  )

  const end = effect(() => {
    const now = draft.value
    stop.abort()
    stop = new AbortController()
    const { signal: stopped } = stop
    if (isBlank(now)) {
      answer.value = { draft: now, problems: [], planError: null }
      return undefined
    }
    return clock.schedule(quietMs, () => void ask(now, stopped))
  })

  async function ask(now: Draft, stopped: AbortSignal): Promise<void> {
    try {
      const found = await client.validateFfmpegCommand(requestOf(now, likelyUrl), {
        signal: stopped,
        query: { schema_errors: true },
      })
      const problems = [
        ...found.errors.map((one) => problemOf(one, now)),
        ...found.warnings.map((one) => warningOf(one, now)),
      ]
      answer.value = { draft: now, problems, planError: found.plan_error }
      isAway.value = false
    } catch (error) {
      if (stopped.aborted) return
      isAway.value = !(error instanceof ApiError)
      if (error instanceof ApiError) answer.value = refused(error, now)
    }
  }

  return {
    problems: computed(() => [
      ...gone.problems.value,
      ...repeatedProblems(draft.value),
      ...checked.value,
    ]),
    /** Aliases of inputs whose files the service has deleted. */
    gone: gone.aliases,
    planError: computed(() => answer.value?.planError ?? null),
    /** Whether the service has checked what is there now. */
    isChecked: computed(() => answer.value?.draft === draft.value),
    isAway,
    /** @returns whether the service still has the files of the inputs; those that it deleted are problems */
    hasFiles: () => gone.look(),
    /** Shows the reasons of a refused submission. */
    refuse(error: ApiError) {
      answer.value = refused(error, draft.peek())
    },
    close() {
      end()
      stop.abort()
      gone.close()
    },
  }
}

export type Checker = ReturnType<typeof createChecker>

/** One for each alias that stands twice. */
function repeatedProblems(draft: Draft): Problem[] {
  return repeatedAliases(draft).map((alias) => ({
    tone: 'bad',
    field: { kind: alias.startsWith('out_') ? 'output' : 'input', alias },
    text: `The alias '${alias}' stands here twice; give one of them another name.`,
    at: null,
    remedy: null,
  }))
}

/** Problems of a draft that the service has not checked yet. @param before its answer to an older draft */
function uncheckedProblems(
  draft: Draft,
  rules: Rules | null,
  before: readonly Problem[],
): Problem[] {
  const mistakes = isBlank(draft)
    ? []
    : (rules?.sourceMistakes(sourceOf(draft), draft.commands.length > 1) ?? [])
  // Problems of other fields stay as the service reported them until it answers again.
  const others = before.filter(({ field }) => field.kind === 'option')
  return [...mistakes.map((one) => problemOf(one, draft)), ...others]
}

function refused({ mistakes, detail, status }: ApiError, draft: Draft): Answer {
  if (mistakes.length > 0) {
    return { draft, problems: mistakes.map((one) => problemOf(one, draft)), planError: null }
  }
  if (status === 403) return { draft, problems: [], planError: detail }
  const whole: Problem = {
    tone: 'bad',
    field: { kind: 'whole' },
    text: `${detail}.`,
    at: null,
    remedy: null,
  }
  return { draft, problems: [whole], planError: null }
}

/** A file that is uploaded now, or is still to come, has no URL: the service checks names alone. */
function likelyUrl({ url, file, hint, alias }: DraftInput): string {
  const name = encodeURIComponent(file?.name ?? hint ?? alias)
  return url.trim() === '' ? `https://upload.example/${name}` : url
}
