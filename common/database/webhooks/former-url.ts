import type { Query } from '../connection/query.ts'

interface FormerUrl {
  readonly accountId: string
  readonly url: string
}

/** Reason in the record of a delivery that ended without an attempt. */
const reasons = {
  changed: 'Not sent: the webhook URL was changed',
  removed: 'Not sent: the webhook URL was removed',
} as const

/** A delivery whose owner ended it: not a failure of its receiver. */
export const isEndedByOwner = (delivery: string): string =>
  `coalesce((${delivery}.attempts -> -1 ->> 'ended_by_owner')::boolean, false)`

/**
 * Ends pending deliveries to a URL that the account no longer uses. Locks them. An attempt in flight loses its
 * lease, so its result does not make the delivery pending again.
 */
export async function endDeliveries(
  query: Query,
  { accountId, url }: FormerUrl,
  reason: keyof typeof reasons,
): Promise<void> {
  await query(
    'end_deliveries',
    `update webhook_deliveries set
       status = 'FAILED', next_attempt_at = null, leased_until = null, lease = lease + 1,
       attempts = attempts || jsonb_build_array(jsonb_build_object(
         'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
         'response_status', null, 'error', $3::text, 'ended_by_owner', true
       ))
     where account_id = $1 and url = $2 and status = 'PENDING'`,
    [accountId, url, reasons[reason]],
  )
}

/**
 * Moves pending deliveries to another URL, where their next attempts go. Locks them; the assignment of
 * `next_attempt_at` schedules the receiver of the new URL.
 */
export async function moveDeliveries(
  query: Query,
  { accountId, url }: FormerUrl,
  to: string,
): Promise<void> {
  await query(
    'move_deliveries',
    `update webhook_deliveries set url = $3, next_attempt_at = next_attempt_at
     where account_id = $1 and url = $2 and status = 'PENDING'`,
    [accountId, url, to],
  )
}
