import { duration } from '../../parts/relative-time.ts'
import type { CommandStatusRecord } from '../../../common/openapi/openapi-types.ts'

/** Moments of a command that have come, in their order. */
export function momentsOf({ created_at, started_at, finished_at }: CommandStatusRecord) {
  const all = [
    ['Submitted', created_at],
    ['Started', started_at],
    ['Ended', finished_at],
  ] as const
  return all.flatMap(([name, at]) => (at === null ? [] : [{ name, at }]))
}

/** Size, limit and attempts of a command, and who submitted and cancelled it. */
export function sizesOf(record: CommandStatusRecord): (readonly [name: string, words: string])[] {
  const { vcpu_count: vcpus, max_command_run_seconds: limit, attempts, priority } = record
  const all: readonly (readonly [name: string, words: string | null])[] = [
    ['vCPUs', vcpus === null ? null : String(vcpus)],
    ['Time limit', duration(limit)],
    ['Attempts', attempts === 0 ? null : String(attempts)],
    ['Priority', priority === 'normal' ? null : priority],
    ['Key', keyWords(record)],
    ['Cancelled by', record.cancelled_by],
  ]
  return all.flatMap(([name, words]) => (words === null ? [] : [[name, words] as const]))
}

/** Prefix and label of the key that submitted it, as far as they are known. */
function keyWords({ submitted_by: key }: CommandStatusRecord): string | null {
  if (key === null) return null
  const { key_prefix: prefix, key_label: label } = key
  return prefix === null || label === null ? (prefix ?? label) : `${prefix} (${label})`
}
