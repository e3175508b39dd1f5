import { cut } from './reason.ts'
import type { Reason } from './reason.ts'
import { transitionsOf } from '../observe/shown-status.ts'
import type { ShownStatus, WorkStatus } from '../observe/shown-status.ts'

export type StatusCondition = NonNullable<WorkStatus['conditions']>[number]

/** State of a command, as far as its conditions distinguish it. */
export type Standing =
  | { readonly kind: 'waiting'; readonly why: Reason }
  | { readonly kind: 'starting'; readonly why: Reason }
  | { readonly kind: 'running'; readonly why: Reason }
  | { readonly kind: 'succeeded'; readonly why: Reason }
  | {
      readonly kind: 'failed'
      readonly errorStatus: string
      readonly why: Reason
      readonly admitted: boolean
    }
  /** The object cannot have a row: nothing was run or recorded. */
  | { readonly kind: 'rejected'; readonly why: Reason }

/** Times of the row, RFC 3339: a short command is shown for the first time at its end. */
export interface RowTimes {
  readonly queuedAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

interface ConditionContext {
  readonly generation: number
  /** RFC 3339. */
  readonly now: string
  /** Absent where the object has no row. */
  readonly times?: RowTimes
}

/**
 * All conditions, always: a merge patch replaces a list whole. `lastTransitionTime` moves only with
 * the condition's status. The last two are what kstatus (Helm, Flux) understands.
 */
export function conditionsFor(
  standing: Standing,
  shown: ShownStatus,
  context: ConditionContext,
  subject: Subject = command,
): StatusCondition[] {
  const verdicts = verdictsFor(standing, subject)
  const before = transitionsOf(shown)
  return verdicts.map(([type, holds, { reason, message }]) => {
    const status = holds ? 'True' : 'False'
    const last = before.get(type)
    return {
      type,
      status,
      reason,
      message: cut(message, 300),
      lastTransitionTime:
        last?.status === status ? last.at : changedAt(type, holds, last?.at ?? null, context),
      observedGeneration: context.generation,
    }
  })
}

/** @param before when it last changed to the opposite; null: it was never shown */
function changedAt(
  type: string,
  holds: boolean,
  before: string | null,
  { now, times }: ConditionContext,
): string {
  if (times === undefined) return now
  const { queuedAt, startedAt, finishedAt } = times
  const beginsRun = holds && (type === 'Admitted' || type === 'Running')
  const endsRun = !holds && (type === 'Running' || type === 'Reconciling')
  const ends = endsRun || (holds && !beginsRun && type !== 'Reconciling')
  const known = beginsRun ? startedAt : ends ? finishedAt : null
  // The row has no time of a second attempt.
  if (known !== null && (before === null || before <= known)) return known
  return before === null && !beginsRun ? queuedAt : now
}

/** Sentences about what the object stands for. */
interface Subject {
  readonly admitted: string
  readonly running: string
  readonly finished: string
  readonly failed: string
}

const command: Subject = {
  admitted: 'Its vCPUs fit the quota of the account',
  running: 'The command has not ended',
  finished: 'The command has ended',
  failed: 'The command failed',
}

export const storedFileSubject: Subject = {
  admitted: 'There is room for its Job',
  running: 'The file is not ready',
  finished: 'The work on the file has ended',
  failed: 'The file could not be stored',
}

type Verdict = readonly [type: string, holds: boolean, why: Reason]

function verdictsFor(standing: Standing, subject: Subject): Verdict[] {
  const admitted: Reason = { reason: 'Admitted', message: subject.admitted }
  const finished: Reason = { reason: 'Finished', message: subject.finished }
  /** Condition for scripts that wait for any end: `Complete` of a failed command never becomes True. */
  const ended = (outcome: Reason): Verdict => ['Finished', true, outcome]
  switch (standing.kind) {
    case 'waiting':
      return unfinished(standing.why, subject, [
        ['Admitted', false, standing.why],
        ['Running', false, standing.why],
      ])
    case 'starting':
      return unfinished(standing.why, subject, [
        ['Admitted', true, admitted],
        ['Running', false, standing.why],
      ])
    case 'running':
      return unfinished(standing.why, subject, [
        ['Admitted', true, admitted],
        ['Running', true, standing.why],
      ])
    case 'succeeded':
      return [
        ['Admitted', true, admitted],
        ['Running', false, finished],
        ['Complete', true, standing.why],
        ['Failed', false, standing.why],
        ended(standing.why),
        ['Recorded', true, recorded],
        ['Reconciling', false, finished],
        ['Stalled', false, finished],
      ]
    case 'failed': {
      const { reason, message } = standing.why
      return [
        ['Admitted', standing.admitted, standing.admitted ? admitted : finished],
        ['Running', false, finished],
        ['Complete', false, { reason: 'Failed', message: subject.failed }],
        ['Failed', true, { reason, message }],
        ended({ reason, message: subject.failed }),
        ['Recorded', true, recorded],
        ['Reconciling', false, finished],
        ['Stalled', true, { reason, message: subject.failed }],
      ]
    }
    case 'rejected': {
      const { reason, message } = standing.why
      const short: Reason = { reason, message: cut(message, 100) }
      return [
        ['Admitted', false, short],
        ['Running', false, short],
        ['Complete', false, short],
        ['Failed', true, standing.why],
        ended(short),
        ['Recorded', false, short],
        ['Reconciling', false, short],
        ['Stalled', true, short],
      ]
    }
  }
}

function unfinished(why: Reason, subject: Subject, first: Verdict[]): Verdict[] {
  const running: Reason = { reason: 'Running', message: subject.running }
  return [
    ...first,
    ['Complete', false, running],
    ['Failed', false, running],
    ['Finished', false, running],
    ['Recorded', false, running],
    ['Reconciling', true, { reason: why.reason, message: subject.running }],
    ['Stalled', false, running],
  ]
}

const recorded: Reason = { reason: 'Recorded', message: 'The outcome is in the database' }
