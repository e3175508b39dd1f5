import { claimedColumns } from './claim-due.ts'
import type { ClaimedDelivery, Delivery, SentDelivery, WebhookStore } from '../../store/webhooks.ts'
import type { Database, Query } from '../connection/query.ts'

/** Calls of an account that read its deliveries and send them again. */
export function readDeliveries({
  query,
}: Pick<Database, 'query'>): Pick<
  WebhookStore,
  'listDeliveries' | 'findDelivery' | 'claimDelivery'
> {
  return {
    /** Locks nothing; newest first by the index of the account. */
    listDeliveries(list) {
      const { accountId, status, limit, offset, event, commandId } = list
      // The events of one command are found by the index that makes each of them unique.
      const ofCommand = commandId === null ? '' : 'and coalesce(command_id, file_id) = $6'
      return query<Delivery>(
        commandId === null ? 'list_deliveries' : 'list_deliveries_of_command',
        `select ${columns} from webhook_deliveries
         where account_id = $1 and ($2::text is null or status = $2)
           and ($5::text is null or event = $5) ${ofCommand} and ${isListed}
         order by created_at desc, delivery_id desc limit $3 offset $4`,
        [accountId, status, limit, offset, event, ...(commandId === null ? [] : [commandId])],
      )
    },

    findDelivery: (accountId, deliveryId) => findDelivery(query, accountId, deliveryId),

    /**
     * Locks the row. An attempt whose lease has expired may no longer record its result. The receiver's backoff does
     * not matter, because the account wants this attempt; if the process ends, `rearmReceivers` schedules it.
     */
    async claimDelivery({ accountId, deliveryId, leaseSeconds }) {
      const [delivery] = await query<ClaimedDelivery>(
        'claim_delivery',
        `update webhook_deliveries d set
           status = 'PENDING',
           next_attempt_at = now(),
           resent = d.resent or d.status <> 'PENDING',
           lease = d.lease + 1,
           leased_until = now() + make_interval(secs => $3)
         from accounts a
         where d.delivery_id = $2 and d.account_id = $1 and a.account_id = d.account_id
           and (d.leased_until is null or d.leased_until <= now()) and d.${isListed}
         returning ${claimedColumns}`,
        [accountId, deliveryId, leaseSeconds],
      )
      if (delivery !== undefined) return { kind: 'claimed', delivery }
      const known = await findDelivery(query, accountId, deliveryId)
      return { kind: known === null ? 'unknown' : 'running' }
    },
  }
}

/** Locks nothing. */
async function findDelivery(
  query: Query,
  accountId: string,
  deliveryId: string,
): Promise<SentDelivery | null> {
  const [found] = await query<SentDelivery>(
    'find_delivery',
    `select ${columns}, body, request_headers as "requestHeaders" from webhook_deliveries
     where delivery_id = $2 and account_id = $1 and ${isListed}`,
    [accountId, deliveryId],
  )
  return found ?? null
}

const columns = `delivery_id as "deliveryId", event, command_id as "commandId", file_id as "fileId",
  url, status, attempts, next_attempt_at as "nextAttemptAt", created_at as "createdAt"`

/** Removed a moment later. */
const isListed = `created_at > now() - interval '30 days'`
