/** Webhooks of accounts, and the outcome of each delivery. */
export interface WebhookStore {
  findWebhook(accountId: string): Promise<Webhook>
  /** A rotated secret signs for one more day beside its successor. */
  setWebhook(webhook: {
    accountId: string
    url: string
    events: readonly WebhookEvent[]
    rotateSecret: boolean
  }): Promise<Webhook>
  /** The secret stays. */
  unsetWebhook(accountId: string): Promise<void>
  /** The newest first. */
  listDeliveries(query: {
    accountId: string
    status: DeliveryStatus | null
    limit: number
    offset: number
  }): Promise<Delivery[]>
  /**
   * Leases deliveries that are due, so that no other replica works on them. No account and no receiver
   * gets more than its share, deliveries in flight (`underWay`) included.
   */
  claimDeliveries(claim: DeliveryClaim): Promise<ClaimedDelivery[]>
  /** Stores the body for all attempts. @returns the body stored first; null if the lease is lost */
  keepDeliveryBody(kept: Lease & { body: string }): Promise<string | null>
  /** Adds the attempt to the list. @returns false, and changes nothing, if the lease is lost */
  recordDelivery(attempt: Lease & RecordedAttempt): Promise<boolean>
  /** Releases a delivery without an attempt; it is due at once. */
  releaseDelivery(lease: Lease): Promise<void>
  /** @returns how many deliveries older than `days` were removed, at most `limit` */
  expireDeliveries(query: { days: number; limit: number }): Promise<number>
  deliveryGauges(): Promise<DeliveryGauges>
}

export const webhookEvents = ['command.finished', 'file.stored', 'file.failed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

export interface Webhook {
  readonly url: string | null
  readonly events: readonly WebhookEvent[]
  /** The newest first, as Standard Webhooks writes them (`whsec_` and base64); at least one. */
  readonly secrets: readonly string[]
  readonly createdAt: Date
}

export interface DeliveryAttempt {
  /** RFC 3339. */
  readonly at: string
  readonly response_status: number | null
  readonly error: string | null
}

export interface Delivery {
  readonly deliveryId: string
  readonly event: WebhookEvent
  readonly commandId: string | null
  readonly fileId: string | null
  readonly url: string
  readonly status: DeliveryStatus
  readonly attempts: readonly DeliveryAttempt[]
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
}

export interface Receiver {
  readonly accountId: string
  /** Scheme, host and port. */
  readonly receiver: string
}

export interface DeliveryClaim {
  readonly limit: number
  readonly perAccount: number
  readonly perReceiver: number
  /** Attempts of this process, one entry each. */
  readonly underWay: readonly Receiver[]
  readonly leaseSeconds: number
}

/** Proof that an attempt still holds its delivery. */
export interface Lease {
  readonly deliveryId: string
  readonly lease: number
}

export interface ClaimedDelivery extends Receiver, Lease {
  readonly event: WebhookEvent
  readonly commandId: string | null
  readonly fileId: string | null
  readonly url: string
  readonly createdAt: Date
  /** By the database's clock. */
  readonly claimedAt: Date
  /** null before the first attempt. */
  readonly body: string | null
  readonly failedAttempts: number
  readonly secrets: readonly string[]
  /** Name of the account's plan. */
  readonly plan: string
}

export interface RecordedAttempt {
  readonly attempt: DeliveryAttempt
  readonly status: DeliveryStatus
  /** Set if and only if `status` is PENDING. */
  readonly nextAttemptInSeconds: number | null
}

export interface DeliveryGauges {
  readonly pending: number
  /** Age of the oldest pending delivery; 0 without one. */
  readonly oldestPendingSeconds: number
  /** How long the most overdue attempt has been due; 0 without one. */
  readonly overdueSeconds: number
}
