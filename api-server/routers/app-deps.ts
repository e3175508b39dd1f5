import type { AddressRules } from '../../common/network/address-policy.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { Registration } from '../accounts/registration/registration.ts'
import type { RandomBytes } from '../accounts/secrets.ts'
import type { CommandRecords } from '../commands/read/command-records.ts'
import type { Submit } from '../commands/submit/submit.ts'
import type { ConsoleOptions } from '../console/console-answers.ts'
import type { FileUrls } from '../files/file-urls.ts'
import type { ApiObjectStore } from '../files/lazy-object-store.ts'
import type { PauseWatch } from '../limits/pause-watch.ts'
import type { QueueRoom } from '../limits/queue-room.ts'
import type { Readiness } from '../middleware/while-serving.ts'
import type { HttpMetrics } from '../server/metrics.ts'
import type { StreamMetrics } from '../server/stream-metrics.ts'
import type { UnknownKeyMetrics } from '../server/unknown-keys.ts'
import type { SendNow } from '../webhooks/one-delivery.ts'
import type { PostWebhook } from '../webhooks/post-webhook.ts'

/** The clients and settings of the REST API. `create-api-server.ts` makes them. */
export interface AppDeps {
  readonly effects: Effects
  readonly logger: Logger
  readonly storage: StorageDeps
  readonly limits: LimitDeps
  readonly accounts: AccountDeps
  readonly streams: StreamDeps
  readonly webhooks: WebhookDeps
  readonly web: WebDeps
}

export interface StorageDeps {
  readonly store: Store
  readonly objects: ApiObjectStore
  readonly fileUrls: FileUrls
  readonly submit: Submit
  /** Notifies dispatch of a new file. */
  readonly notify: () => void
  /** Calls back at the end of the present turn of the event loop. */
  readonly atTurnEnd: (callback: () => void) => void
  /** Lifetime of an upload session and its URLs. */
  readonly uploadSessionSeconds: number
  /** Cache TTL of command records in ms; 0 disables the cache. */
  readonly pollCacheMs: number
}

export interface LimitDeps {
  readonly plans: Plans
  readonly pauses: Pick<PauseWatch, 'current'>
  /** Which addresses URLs of customers may name. */
  readonly addressRules: AddressRules
}

export interface AccountDeps {
  /** null if registration is disabled. */
  readonly registration: Registration | null
  /** Whether accounts may delete themselves. */
  readonly selfDeletion: boolean
  /** Whether keys of an account may make more of them. */
  readonly selfServiceKeys: boolean
  readonly randomBytes: RandomBytes
}

export interface StreamDeps {
  /** Most open streams of this process. */
  readonly maxStreams: number
  readonly metrics: StreamMetrics
  /** Aborts when this process drains, which ends streamed answers. */
  readonly draining: AbortSignal
}

export interface WebhookDeps {
  readonly postWebhook: PostWebhook
  /** Attempts a delivery that is sent again. */
  readonly sendNow: SendNow
  /** User-Agent of webhook requests. */
  readonly userAgent: string
}

export interface WebDeps {
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly unknownKeyMetrics: UnknownKeyMetrics
  /** Origins whose pages may call the API; `*` is all. */
  readonly corsOrigins: readonly string[]
  /** Serve every path below `/api` too. */
  readonly serveUnderApi: boolean
  /** Number of trusted proxy hops for X-Forwarded-For. */
  readonly trustedProxies: number
  /** null if the console is disabled. */
  readonly console: ConsoleOptions | null
  /** Folder of the built site of `/docs`, if not the folder of its sources. */
  readonly docsFolder?: string
}

export interface Shared {
  /** Calls that change files invalidate the records of commands, which contain them. */
  readonly records: CommandRecords
  readonly queueRoom: QueueRoom
}
