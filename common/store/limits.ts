import type { QuotaUse } from '../domain/quota.ts'

/** Quotas, rate limits and idempotency keys of accounts. */
export interface LimitStore {
  readUsage(accountId: string): Promise<Usage>
  /** Usage by hour from `from`, the start of an hour, to before `to`. */
  readUsageHistory(of: { accountId: string; from: Date; to: Date }): Promise<UsageHistory>
  /**
   * Usage of all accounts, by name, or of one.
   * @param of.month its first day, UTC
   */
  readUsageByAccount(of: { month: Date; accountId: string | null }): Promise<AccountUsage[]>
  /** Failed commands of all accounts by `error_status`; cancelled ones are left out. */
  countErrors(of: { hours: number }): Promise<Record<string, number>>
  /** Raises the peak of the present hour of each account to the vCPUs that it holds now. */
  recordVcpuPeaks(): Promise<void>
  readActivity(accountId: string): Promise<Activity>
  readQueue(accountId: string, list: QueuedList): Promise<QueueState>
  /** Accounts with commands that have no custom resource yet. */
  readUndispatched(): Promise<Undispatched[]>
  /** Adds at most `limit` recorded changes to the totals. @returns how many */
  foldUsage(limit: number): Promise<number>
  /**
   * Takes `tokens` out of the account's bucket of that group, all or none. The bucket holds
   * `perMinute` tokens (at least one) and refills evenly in a minute.
   */
  takeTokens(take: TokenTake): Promise<boolean>
  /** Seconds until `tokens` can be taken, 0 = now; null where the rate is zero. */
  secondsUntilTokens(take: TokenTake): Promise<number | null>
  /** The number of tokens in the bucket now. */
  tokensLeft(bucket: Bucket): Promise<number>
  giveTokensBack(take: TokenTake): Promise<void>
  /** Claims the key for a request, or returns the state of the request that had it before. */
  claimIdempotencyKey(claim: IdempotencyClaim): Promise<IdempotencyState>
  /** Stores the answer for retries. */
  completeIdempotencyKey(answered: {
    accountId: string
    key: string
    resourceId: string
    status: number
    body: unknown
  }): Promise<void>
  /** Ends the lease. `forget`: the request had no effect, so the key may name another one. */
  releaseIdempotencyKey(released: {
    accountId: string
    key: string
    resourceId: string
    forget: boolean
  }): Promise<void>
  /** @returns how many keys older than a day were removed, at most `limit` */
  expireIdempotencyKeys(limit: number): Promise<number>
}

/** Bytes; of the present calendar month (UTC). */
export interface Usage extends QuotaUse {
  readonly monthStart: Date
  readonly monthEnd: Date
}

export interface UsageHistory {
  /** Sorted by time; hours without figures are missing, and an hour can appear twice, to be added up. */
  readonly hours: readonly UsageHour[]
  /** Bytes stored when the first hour began; null: not known. */
  readonly storedBytesBefore: number | null
  readonly storedBytesNow: number
}

/** Usage of commands that ended in an hour. */
export interface UsageHour {
  readonly hour: Date
  readonly succeeded: number
  /** Without those that were cancelled. */
  readonly failed: number
  readonly cancelled: number
  /** Numbers of failed commands by their `error_status`. */
  readonly errors: Readonly<Record<string, number>>
  readonly processingBytes: number
  readonly vcpuSeconds: number
  readonly ffmpegSeconds: number
  /** Numbers of commands by the class of their wait: class n is 2^(n/8) seconds. */
  readonly waits: Readonly<Record<string, number>>
  /** Most vCPUs that were held at a time. */
  readonly peakVcpus: number
  /** At the last change of the hour; null: nothing changed. */
  readonly storedBytes: number | null
}

/** Usage of an account in a month. */
export interface AccountUsage extends Pick<
  UsageHour,
  'succeeded' | 'failed' | 'cancelled' | 'vcpuSeconds' | 'processingBytes'
> {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  /** Now. */
  readonly storedBytes: number
}

/** Commands of an account that have not ended, and the vCPUs that it holds. */
export interface Activity {
  readonly queued: number
  readonly running: number
  readonly vcpuInUse: number
}

export type QueuedList = 'commands' | 'files'

export interface QueueState {
  /** Commands or stored files with status QUEUED. */
  readonly queued: number
  /** Commands and work on files that hold a Job. */
  readonly running: number
  /** Mean run time of the account's commands in seconds; null while unknown. */
  readonly meanSeconds: number | null
}

/** Commands and work on files of an account that wait for their custom resource. */
export interface Undispatched {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly count: number
  /** Since the oldest was submitted. */
  readonly oldestSeconds: number
  /** Whether a pause of dispatch, of admission or of the account is in force. */
  readonly isPaused: boolean
}

export interface Bucket {
  readonly accountId: string
  readonly group: RateGroup
  readonly perMinute: number
}

export interface TokenTake extends Bucket {
  readonly tokens: number
}

export type RateGroup = 'submissions' | 'reads' | 'webhook requests'

export interface IdempotencyClaim {
  readonly accountId: string
  readonly key: string
  /** SHA-256 of method, path and body of the request. */
  readonly fingerprint: Uint8Array
  /** Id of the record that the request creates, if it is the first one. */
  readonly resourceId: string
  readonly leaseSeconds: number
}

export type IdempotencyState =
  /** `repeated`: an earlier request had the key and may have had its effect. */
  | { readonly kind: 'claimed'; readonly resourceId: string; readonly repeated: boolean }
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'in-flight'; readonly ageSeconds: number; readonly leftSeconds: number }
  | { readonly kind: 'other-request' }
