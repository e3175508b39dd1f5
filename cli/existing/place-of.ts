/** Of a record; a service of an older version sends the position alone. */
interface Queued {
  readonly queue_position: number | null
  readonly queue_reason?: string | null
  readonly estimated_start_at?: string | null
}

const reasons: Readonly<Record<string, string>> = {
  DISPATCH: 'waits to be handed to the cluster',
  ACCOUNT_VCPUS: 'waits for vCPUs of your account',
  ACCOUNT_JOBS: 'waits for a command of your account to end',
  QUOTA: 'waits for a command of your account to end, which fills its quota',
  FAIR_SHARE: 'waits for its share of the cluster',
  CAPACITY: 'waits for the cluster, which is full',
  KUEUE: 'waits in a queue of the cluster',
}

/**
 * Where a queued command stands, why, and its estimated start; empty for a command that is not in the
 * queue. A service of a newer version may send another reason, which is shown as it is.
 */
export function placeOf(record: Queued): string {
  const place = record.queue_position
  const reason = record.queue_reason ?? null
  // Admitted by the service, and not by a queue behind it.
  if (place === null) return reason === 'KUEUE' ? (reasons['KUEUE'] ?? '') : ''
  const start = record.estimated_start_at ?? null
  return [
    `number ${place} in line`,
    ...(reason === null ? [] : [reasons[reason] ?? reason]),
    ...(start === null ? [] : [`start about ${minuteOf(start)}`]),
  ].join(', ')
}

/** RFC 3339 to the minute, in UTC as the service sends it. */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
