import { day } from '../parts/clock-time.ts'
import { daysLeft, durationWords, gigabytes, share } from './amounts.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

interface Quota {
  readonly title: string
  readonly words: string
  readonly note: string
  readonly used: number
  /** null: without an end. */
  readonly limit: number | null
  /** `used` is what is left. */
  readonly isRest?: boolean
}

/** Usage of the account, past and present, beside its plan. */
export function quotasOf(usage: AccountUsage, nowMs: number) {
  const { processing, storage, vcpu, queue, commands, rate, period_end: end } = usage
  const left = Math.floor(rate.submissions_left ?? 0)
  const quotas: Quota[] = [
    {
      title: 'Processed this month',
      words: share(processing.used_mbytes, processing.limit_mbytes),
      note: `Begins again ${daysLeft(end, nowMs)}, on ${day(new Date(end), 'utc')}.${reserved(processing.reserved_mbytes)}`,
      used: processing.used_mbytes,
      limit: processing.limit_mbytes,
    },
    {
      title: 'Stored',
      words: share(storage.used_mbytes, storage.limit_mbytes),
      note: `Deleting files frees it.${reserved(storage.reserved_mbytes)}`,
      used: storage.used_mbytes,
      limit: storage.limit_mbytes,
    },
    {
      title: 'vCPUs in use now',
      words: vcpu.limit === null ? `${vcpu.in_use}` : `${vcpu.in_use} of ${vcpu.limit}`,
      note: `${commands.running} running, ${queue.queued} in the queue${queue.limit === null ? '' : ` of at most ${queue.limit.toLocaleString('en-GB')}`}.`,
      used: vcpu.in_use,
      limit: vcpu.limit,
    },
    {
      title: 'Submissions left this minute',
      words:
        rate.submissions_per_minute === null
          ? 'No limit'
          : `${left} of ${rate.submissions_per_minute}`,
      note: `Plan ${usage.plan}.`,
      used: left,
      limit: rate.submissions_per_minute,
      isRest: true,
    },
  ]
  return quotas.map((quota) => ({ ...quota, ...barOf(quota) }))
}

/**
 * Length of the bar, 0 to 1, and whether the quota is nearly used up: a long bar is the warning, and of
 * what is left a short one.
 */
function barOf({ used, limit, isRest = false }: Quota) {
  const part = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  return { part, isTight: limit !== null && (isRest ? part === 0 : part >= 0.9) }
}

function reserved(mbytes: number): string {
  return mbytes === 0 ? '' : ` ${gigabytes(mbytes)} more are reserved by unfinished commands.`
}

/** Limits and features of the plan that no bar shows, as names with their words. */
export function limitsOf({ plan, limits, vcpu, features }: AccountUsage) {
  const { max_command_run_seconds: seconds, max_file_mbytes: mbytes } = limits
  const words = {
    chained: 'chains',
    uploads: 'uploads',
    private: 'private outputs',
    webhooks: 'webhooks',
  }
  const named = (isIn: boolean) =>
    (Object.keys(words) as (keyof typeof words)[])
      .filter((name) => features[name] === isIn)
      .map((name) => words[name])
      .join(', ')
  const all: readonly (readonly [name: string, words: string])[] = [
    ['Plan', plan],
    ['One command', `${durationWords(seconds)}, ${vcpu.per_command} vCPUs`],
    ['One file', mbytes === null ? 'any size' : gigabytes(mbytes)],
    ['In the plan', named(true)],
    ['Not in the plan', named(false)],
  ]
  return all.filter(([, text]) => text !== '')
}
