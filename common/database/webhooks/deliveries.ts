import { claimDue } from './claim-due.ts'
import { readDeliveries } from './read-deliveries.ts'
import { countFailures, rearm } from './receivers.ts'
import type {
  ClaimedDelivery,
  DeliveryGauges,
  DeliveryStore,
  WebhookStore,
} from '../../store/webhooks.ts'
import type { Database } from '../connection/query.ts'

/** Deliveries of events, from the claim to the last attempt. */
export function deliveries({
  query,
}: Database): DeliveryStore &
  Pick<WebhookStore, 'listDeliveries' | 'findDelivery' | 'claimDelivery'> {
  return {
    ...readDeliveries({ query }),

    /** Locks receivers and deliveries and skips those that others have locked. */
    claimDeliveries(claim) {
      return query<ClaimedDelivery>('claim_deliveries', claimDue, [
        claim.limit,
        claim.perAccount,
        claim.perReceiver,
        claim.underWay.map(({ accountId }) => accountId),
        claim.underWay.map(({ receiver }) => receiver),
        claim.leaseSeconds,
      ])
    },

    /** Locks the row. */
    async keepDeliveryBody(kept) {
      const [row] = await query<{ body: string }>(
        'keep_delivery_body',
        `update webhook_deliveries set body = coalesce(body, $3)
         where delivery_id = $1 and lease = $2 and status = 'PENDING' returning body`,
        [kept.deliveryId, kept.lease, kept.body],
      )
      return row?.body ?? null
    },

    /**
     * Locks the row, then its receiver's if its failures change. Guarded by the lease: another replica has
     * retried an attempt that took too long.
     */
    async recordDelivery({ deliveryId, lease, attempt, status, ...recorded }) {
      const rows = await query(
        'record_delivery',
        `with recorded as (
           update webhook_deliveries set
             attempts = attempts || jsonb_build_array($3::jsonb),
             status = $4,
             next_attempt_at = now() + make_interval(secs => $5),
             leased_until = null,
             -- An attempt that was not sent has no headers.
             request_headers = coalesce($7::jsonb, request_headers),
             resent = resent and $4 = 'PENDING'
           where delivery_id = $1 and lease = $2 and status = 'PENDING'
           returning delivery_id, account_id, receiver
         ), counted as (${countFailures({ status: '$4', sent: '$6' })})
         select delivery_id from recorded`,
        [
          deliveryId,
          lease,
          JSON.stringify(attempt),
          status,
          recorded.nextAttemptInSeconds,
          recorded.sent,
          recorded.requestHeaders === null ? null : JSON.stringify(recorded.requestHeaders),
        ],
      )
      return rows.length > 0
    },

    /** Locks the row. */
    async releaseDelivery(lease) {
      await query(
        'release_delivery',
        `update webhook_deliveries set leased_until = null, lease = lease + 1
         where delivery_id = $1 and lease = $2 and status = 'PENDING'`,
        [lease.deliveryId, lease.lease],
      )
    },

    /** Locks the rows it removes and skips those that others have locked. */
    async expireDeliveries({ days, limit }) {
      const removed = await query(
        'expire_deliveries',
        `delete from webhook_deliveries where delivery_id = any(array(
           select delivery_id from webhook_deliveries
           where created_at < now() - make_interval(days => $1)
           order by created_at limit $2 for update skip locked
         )) returning delivery_id`,
        [days, limit],
      )
      return removed.length
    },

    /** Locks the receivers that it changes. Reads from receiver to receiver, not their backlogs. */
    async rearmReceivers() {
      return (await query('rearm_receivers', rearm)).length
    },

    /** Locks nothing; reads pending rows only. */
    async deliveryGauges() {
      const [row] = await query<DeliveryGauges>(
        'delivery_gauges',
        `select count(*) as pending,
           coalesce(extract(epoch from now() - min(d.created_at)), 0)::double precision
             as "oldestPendingSeconds",
           greatest(
             coalesce(extract(epoch from now() - min(greatest(d.next_attempt_at, r.not_before))), 0), 0
           )::double precision as "overdueSeconds"
         from webhook_deliveries d left join webhook_receivers r using (account_id, receiver)
         where d.status = 'PENDING'`,
      )
      if (row === undefined) throw new Error('an aggregate returned no row')
      return row
    },
  }
}
