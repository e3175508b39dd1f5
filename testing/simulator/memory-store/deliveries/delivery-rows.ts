import type { Account } from '../../../../common/store/accounts.ts'
import type { DeliveryAttempt, DeliveryStatus } from '../../../../common/store/webhooks.ts'

/** A row of `webhook_deliveries`. */
export interface DeliveryRow {
  readonly deliveryId: string
  readonly accountId: string
  readonly commandId: string
  readonly url: string
  readonly receiver: string
  readonly createdAt: number
  status: DeliveryStatus
  attempts: DeliveryAttempt[]
  body: string | null
  nextAttemptAt: number | null
  lease: number
  leasedUntil: number | null
}

/** A row of `webhook_receivers`. */
export interface ReceiverRow {
  readonly accountId: string
  readonly receiver: string
  nextDue: number
  emptyLooks: number
  idleSince: number | null
  failures: number
  notBefore: number
}

/** Tables that the deliveries use. */
export interface DeliveryTables {
  readonly accounts: Map<string, Account>
  readonly deliveries: Map<string, DeliveryRow>
  readonly receivers: Map<string, ReceiverRow>
}
