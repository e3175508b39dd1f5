/** Webhooks of accounts, and the outcome of each delivery. */
export interface WebhookStore {
  findWebhook(accountId: string): Promise<Webhook>
  /** A rotated secret goes on signing for a day beside its successor. */
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
   * Leases deliveries that are due, so that no other replica works on them: fairly by account and
   * receiver, of which none gets more than its share, `underWay` included.
   */
  claimDeliveries(claim: DeliveryClaim): Promise<ClaimedDelivery[]>
  /** Fixes the bytes of all attempts. @returns the first that were kept; null where the lease is lost */
  keepDeliveryBody(kept: Lease & { body: string }): Promise<string | null>
  /** Adds the attempt to the list. @returns false where the lease is lost, and nothing changed */
  recordDelivery(attempt: Lease & RecordedAttempt): Promise<boolean>
  /** Gives an attempt back that was not made; it is due at once. */
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
  /** Of this process; one entry for each attempt. */
  readonly underWay: readonly Receiver[]
  readonly leaseSeconds: number
}

/** What an attempt shows to record its end. */
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
  /** Exactly where `status` is PENDING. */
  readonly nextAttemptInSeconds: number | null
}

export interface DeliveryGauges {
  readonly pending: number
  /** Age of the oldest that is neither delivered nor given up; 0 where there is none. */
  readonly oldestPendingSeconds: number
  /** How long the next attempt of any has been due; 0 where none is. */
  readonly overdueSeconds: number
}
