import { claimDue } from './claim-due.ts'
import { countFailures, isDue, keyOf, schedule } from './receivers.ts'
import type { DeliveryStore, Lease } from '../../../../common/store/webhooks.ts'
import type { DeliveryRow, DeliveryTables } from './delivery-rows.ts'

type Methods = {
  readonly [Name in keyof DeliveryStore]: (
    ...input: Parameters<DeliveryStore[Name]>
  ) => Awaited<ReturnType<DeliveryStore[Name]>>
}

const daySeconds = 86_400
const rearmAfterMs = 10_000

/** Deliveries of events, from the claim to the last attempt. */
export function memoryDeliveries(
  tables: DeliveryTables,
  now: () => number,
  isPaused: () => boolean,
): Methods {
  const held = ({ deliveryId, lease }: Lease): DeliveryRow | null => {
    const row = tables.deliveries.get(deliveryId)
    return row?.lease === lease && row.status === 'PENDING' ? row : null
  }
  const pending = (): DeliveryRow[] =>
    [...tables.deliveries.values()].filter(({ status }) => status === 'PENDING')
  const receiverOf = (row: DeliveryRow) => tables.receivers.get(keyOf(row))

  return {
    claimDeliveries: (claim) => (isPaused() ? [] : claimDue(tables, claim, now())),
    keepDeliveryBody({ body, ...lease }) {
      const row = held(lease)
      if (row !== null) row.body ??= body
      return row?.body ?? null
    },
    recordDelivery({ attempt, status, nextAttemptInSeconds, sent, ...lease }) {
      const row = held(lease)
      if (row === null) return false
      row.attempts.push(attempt)
      row.status = status
      row.nextAttemptAt =
        nextAttemptInSeconds === null ? null : now() + nextAttemptInSeconds * 1_000
      row.leasedUntil = null
      if (status !== 'PENDING') row.body = null
      const receiver = receiverOf(row)
      if (sent && receiver !== undefined) countFailures(receiver, status === 'DELIVERED', now())
      if (status === 'PENDING') schedule(tables, row, now())
      return true
    },
    releaseDelivery(lease) {
      const row = held(lease)
      if (row === null) return
      row.leasedUntil = null
      row.lease += 1
      schedule(tables, row, now())
    },
    expireDeliveries({ days, limit }) {
      const old = [...tables.deliveries.values()]
        .filter(({ createdAt }) => createdAt < now() - days * daySeconds * 1_000)
        .slice(0, limit)
      for (const { deliveryId } of old) tables.deliveries.delete(deliveryId)
      return old.length
    },
    rearmReceivers() {
      const isLost = (row: DeliveryRow): boolean => {
        const { nextDue = Infinity, notBefore = -Infinity } = receiverOf(row) ?? {}
        return isDue(row, now()) && nextDue > Math.max(now(), notBefore) + rearmAfterMs
      }
      const lost = Map.groupBy(pending().filter(isLost), keyOf)
      for (const [row] of lost.values()) if (row !== undefined) schedule(tables, row, now())
      const busy = new Set(pending().map(keyOf))
      for (const [key, { idleSince }] of tables.receivers) {
        const isOld = idleSince !== null && idleSince < now() - daySeconds * 1_000
        if (isOld && !busy.has(key)) tables.receivers.delete(key)
      }
      return lost.size
    },
    deliveryGauges() {
      const rows = pending()
      const dueAt = (row: DeliveryRow) =>
        Math.max(row.nextAttemptAt ?? 0, receiverOf(row)?.notBefore ?? 0)
      const secondsSince = (times: readonly number[]) =>
        Math.max(0, (now() - Math.min(now(), ...times)) / 1_000)
      return {
        pending: rows.length,
        oldestPendingSeconds: secondsSince(rows.map(({ createdAt }) => createdAt)),
        overdueSeconds: secondsSince(rows.map(dueAt)),
      }
    },
  }
}
