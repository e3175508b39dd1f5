import { backoffFailures, emptyLooks, looksPerClaim } from '../../../../common/store/webhooks.ts'
import { isDue, keyOf } from './receivers.ts'
import type { ClaimedDelivery, DeliveryClaim } from '../../../../common/store/webhooks.ts'
import type { DeliveryRow, DeliveryTables, ReceiverRow } from './delivery-rows.ts'

const secret = `whsec_${'A'.repeat(43)}=`

/** Chooses like the statement of the database. */
export function claimDue(
  tables: DeliveryTables,
  claim: DeliveryClaim,
  now: number,
): ClaimedDelivery[] {
  const dueReceivers = [...tables.receivers.values()].filter(({ nextDue }) => nextDue <= now)
  const underWay = (accountId: string, receiver?: string): number =>
    claim.underWay.filter(
      (one) => one.accountId === accountId && one.receiver === (receiver ?? one.receiver),
    ).length
  const looked = [...Map.groupBy(dueReceivers, ({ accountId }) => accountId)]
    .flatMap(([accountId, receivers]) => {
      const accountRoom = claim.perAccount - underWay(accountId)
      if (accountRoom <= 0) return []
      return receivers
        .map((row) => {
          const most = row.failures >= backoffFailures ? 1 : claim.perReceiver
          return { row, accountRoom, room: most - underWay(accountId, row.receiver) }
        })
        .filter(({ room }) => room > 0)
        .toSorted((a, b) => a.row.nextDue - b.row.nextDue)
        .slice(0, looksPerClaim.account)
        .map((one, place) => ({ ...one, place }))
    })
    .toSorted((a, b) => a.place - b.place || a.row.nextDue - b.row.nextDue)
    .slice(0, looksPerClaim.all)
    .map((one) => {
      const own = [...tables.deliveries.values()].filter(
        (row) => row.status === 'PENDING' && keyOf(row) === keyOf(one.row),
      )
      const due = own
        .filter((row) => isDue(row, now))
        .toSorted((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0))
      return { ...one, own, due }
    })
  const choices = looked.flatMap(({ due, room, accountRoom, place }) =>
    due.slice(0, room).map((row, nth) => ({ row, nth, place, accountRoom })),
  )
  const chosen = [...Map.groupBy(choices, ({ row }) => row.accountId).values()]
    .flatMap((own) =>
      own
        .toSorted((a, b) => a.nth - b.nth || a.place - b.place)
        .slice(0, own[0]?.accountRoom ?? 0)
        .map((one, turn) => ({ ...one, turn })),
    )
    .toSorted((a, b) => a.turn - b.turn || a.place - b.place)
    .slice(0, claim.limit)
    .map(({ row }) => row)
  for (const { row, due, own } of looked) {
    const taken = due.filter((one) => chosen.includes(one)).length
    moveOn(
      row,
      { taken, left: due.length - taken, rest: own.filter((one) => !due.includes(one)) },
      now,
    )
  }
  return chosen.map((row) => {
    row.lease += 1
    row.leasedUntil = now + claim.leaseSeconds * 1_000
    const { deliveryId, accountId, receiver, commandId, url, body } = row
    return {
      deliveryId,
      lease: row.lease,
      accountId,
      receiver,
      event: 'command.finished' as const,
      commandId,
      fileId: null,
      url,
      body,
      failedAttempts: row.attempts.length,
      resent: false,
      createdAt: new Date(row.createdAt),
      claimedAt: new Date(now),
      secrets: [secret],
      plan: tables.accounts.get(accountId)?.plan ?? '',
    }
  })
}

/** The next look at a receiver after a claim. */
function moveOn(
  receiver: ReceiverRow,
  { taken, left, rest }: { taken: number; left: number; rest: readonly DeliveryRow[] },
  now: number,
): void {
  if (left > 0) {
    if (taken > 0) receiver.nextDue = now
    receiver.emptyLooks = 0
    return
  }
  receiver.emptyLooks = taken > 0 ? 0 : Math.min(emptyLooks, receiver.emptyLooks + 1)
  const known = rest.map((row) => Math.max(row.nextAttemptAt ?? 0, row.leasedUntil ?? 0))
  const isLast = receiver.emptyLooks === emptyLooks
  const look = isLast ? Infinity : now + 2 ** receiver.emptyLooks * 1_000
  receiver.nextDue = Math.min(look, ...known)
  receiver.idleSince = isLast && known.length === 0 ? now : null
}
