import { waitWords } from '../../common/domain/wait-words.ts'
import type { WaitReason } from '../../common/domain/wait-words.ts'

/** Queue fields of a record; a service of an older version sends the position alone. */
interface Queued {
  readonly queue_position: number | null
  readonly queue_reason?: string | null
  readonly queue_message?: string | null
  readonly estimated_start_at?: string | null
}

/**
 * Position of a queued command, why it waits, and its estimated start; empty for a command that is not in
 * the queue. A service of a newer version may send another reason, which is shown as it is.
 */
export function placeOf(record: Queued): string {
  const place = record.queue_position
  const reason = record.queue_reason ?? null
  // Admitted by the service; the cluster has not started it.
  if (place === null) return reason === null ? '' : wordsFor(reason, record)
  const start = record.estimated_start_at ?? null
  return [
    `number ${place} in line`,
    ...(reason === null ? [] : [wordsFor(reason, record)]),
    ...(start === null ? [] : [`start about ${minuteOf(start)}`]),
  ].join(', ')
}

function wordsFor(reason: string, { queue_message: message = null }: Queued): string {
  const words = Object.hasOwn(waitWords, reason) ? waitWords[reason as WaitReason] : reason
  return message === null ? words : `${words}: ${message}`
}

/** RFC 3339 to the minute, in UTC as the service sends it. */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
