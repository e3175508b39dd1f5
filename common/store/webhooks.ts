/** Webhooks of accounts, and the outcome of each delivery. */
export interface WebhookStore extends DeliveryStore {
  findWebhook(accountId: string): Promise<Webhook>
  /**
   * A rotated secret signs for one more day beside its successor. Where the URL changes, pending deliveries to the
   * former one end as FAILED with the reason, or go to the new one.
   */
  setWebhook(webhook: {
    accountId: string
    url: string
    events: readonly WebhookEvent[]
    rotateSecret: boolean
    /** Send pending deliveries to the new URL. */
    movePending: boolean
  }): Promise<Webhook>
  /** The secret stays; pending deliveries to the URL end as FAILED with the reason. */
  unsetWebhook(accountId: string): Promise<void>
  /** The newest first. */
  listDeliveries(query: {
    accountId: string
    status: DeliveryStatus | null
    event: WebhookEvent | null
    commandId: string | null
    limit: number
    offset: number
  }): Promise<Delivery[]>
  /** null: unknown, of another account, or older than 30 days. */
  findDelivery(accountId: string, deliveryId: string): Promise<SentDelivery | null>
  /**
   * Leases a delivery of any state for one more attempt. If it had ended, it becomes PENDING, and ends again with
   * this attempt.
   */
  claimDelivery(claim: {
    accountId: string
    deliveryId: string
    leaseSeconds: number
  }): Promise<ClaimedAgain>
}

/** Deliveries of events, from the claim to the last attempt: what the sender does. */
export interface DeliveryStore {
  /**
   * Leases deliveries that are due, so that no other replica works on them; accounts take turns. No
   * account and no receiver gets more than its share, deliveries in flight (`underWay`) included, and a
   * receiver after `backoffFailures` failures in a row gets one attempt at a time.
   */
  claimDeliveries(claim: DeliveryClaim): Promise<ClaimedDelivery[]>
  /** Stores the body for all attempts. @returns the body stored first; null if the lease is lost */
  keepDeliveryBody(kept: Lease & { body: string }): Promise<string | null>
  /**
   * Adds the attempt to the list, and backs off the receiver after failures in a row.
   * @returns false, and changes nothing, if the lease is lost
   */
  recordDelivery(attempt: Lease & RecordedAttempt): Promise<boolean>
  /** Releases a delivery without an attempt; it is due at once. */
  releaseDelivery(lease: Lease): Promise<void>
  /** @returns how many deliveries older than `days` were removed, at most `limit` */
  expireDeliveries(query: { days: number; limit: number }): Promise<number>
  /**
   * Schedules receivers whose due delivery no claim would look for, and forgets receivers that had no
   * delivery for a day. @returns how many were scheduled: races of transactions, and work of the release before
   */
  rearmReceivers(): Promise<number>
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
  /** Absent: a program of an earlier release made the attempt. */
  readonly duration_ms?: number | null
  /** Begin of the answer's body if it is text; absent as above. */
  readonly response_excerpt?: string | null
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

/** A delivery with what was sent. */
export interface SentDelivery extends Delivery {
  /** Text as sent; null before the first attempt. */
  readonly body: string | null
  /** Headers of the last attempt, with the signature cut; null before the first attempt. */
  readonly requestHeaders: Readonly<Record<string, string>> | null
}

export type ClaimedAgain =
  | { readonly kind: 'claimed'; readonly delivery: ClaimedDelivery }
  | { readonly kind: 'unknown' }
  /** An attempt is in flight. */
  | { readonly kind: 'running' }

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
  /** Time of the database's clock. */
  readonly claimedAt: Date
  /** null before the first attempt. */
  readonly body: string | null
  /** Attempts so far; of a delivery that has not ended before, all of them failed. */
  readonly failedAttempts: number
  /** The delivery had ended before, so a failure is not retried. */
  readonly resent: boolean
  readonly secrets: readonly string[]
  /** Name of the account's plan. */
  readonly plan: string
}

export interface RecordedAttempt {
  readonly attempt: DeliveryAttempt
  readonly status: DeliveryStatus
  /** Set if and only if `status` is PENDING. */
  readonly nextAttemptInSeconds: number | null
  /** With the signature cut; null: the request was not sent. */
  readonly requestHeaders: Readonly<Record<string, string>> | null
  /** The request was sent: the result says something about the receiver. */
  readonly sent: boolean
}

/** Failed attempts in a row after which the receiver is backed off: 5 s, then twice as long, at most 5 minutes. */
export const backoffFailures = 5
export const backoffSeconds = { first: 5, longest: 300 } as const

/** Empty looks at a receiver, after 1, 2, 4 and 8 s, until it is looked at for its known times only. */
export const emptyLooks = 4
/** Receivers that a claim looks at, at most: of each account, and of all. */
export const looksPerClaim = { account: 32, all: 256 } as const

export interface DeliveryGauges {
  readonly pending: number
  /** Age of the oldest pending delivery; 0 without one. */
  readonly oldestPendingSeconds: number
  /** How long the most overdue attempt has been due, its receiver not being backed off; 0 without one. */
  readonly overdueSeconds: number
}
