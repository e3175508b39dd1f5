import { backoffFailures, backoffSeconds } from '../../../../common/store/webhooks.ts'
import type { Work } from '../../../../common/store/commands.ts'
import type { DeliveryRow, DeliveryTables, ReceiverRow } from './delivery-rows.ts'

/** Same as the trigger of the database at the end of a command. There is one event for each. */
export function deliverEnd(tables: DeliveryTables, submission: Work, now: number): void {
  const { commandId, commandType, accountId, webhookUrl: url } = submission
  if (url === null || commandType === 'STORED_FILE' || tables.deliveries.has(commandId)) return
  const delivery: DeliveryRow = {
    deliveryId: commandId,
    accountId,
    commandId,
    url,
    receiver: new URL(url).origin,
    createdAt: now,
    status: 'PENDING',
    attempts: [],
    body: null,
    nextAttemptAt: now,
    lease: 0,
    leasedUntil: null,
  }
  tables.deliveries.set(commandId, delivery)
  schedule(tables, delivery, now)
}

export function keyOf({ accountId, receiver }: { accountId: string; receiver: string }): string {
  return `${accountId} ${receiver}`
}

export function isDue(row: DeliveryRow, now: number): boolean {
  return (
    row.status === 'PENDING' && (row.nextAttemptAt ?? 0) <= now && (row.leasedUntil ?? 0) <= now
  )
}

/** Same as the trigger of the database for a delivery that no attempt holds. */
export function schedule(tables: DeliveryTables, row: DeliveryRow, now: number): void {
  const { accountId, receiver } = row
  const known = tables.receivers.get(keyOf(row))
  const due = Math.max(row.nextAttemptAt ?? 0, known?.notBefore ?? 0, now)
  const fresh = { accountId, receiver, failures: 0, notBefore: -Infinity }
  if (known?.emptyLooks === 0 && known.nextDue <= due) return
  const nextDue = Math.min(known?.nextDue ?? Infinity, due)
  const scheduled = { ...(known ?? fresh), nextDue, emptyLooks: 0, idleSince: null }
  tables.receivers.set(keyOf(row), scheduled)
}

export function countFailures(receiver: ReceiverRow, isDelivered: boolean, now: number): void {
  if (isDelivered && receiver.failures === 0) return
  receiver.failures = isDelivered ? 0 : receiver.failures + 1
  const over = receiver.failures - backoffFailures
  const seconds = Math.min(backoffSeconds.longest, backoffSeconds.first * 2 ** over)
  if (isDelivered) receiver.notBefore = -Infinity
  else if (over >= 0) receiver.notBefore = now + seconds * 1_000
  receiver.nextDue = isDelivered ? now : Math.max(receiver.nextDue, receiver.notBefore)
  if (isDelivered) receiver.idleSince = null
}
