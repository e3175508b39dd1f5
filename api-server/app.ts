import { activateAccount } from './accounts/registration/activate-account.ts'
import { activationPage } from './accounts/registration/activation-page.ts'
import { registerAccount } from './accounts/registration/register-account.ts'
import { deleteAccount } from './accounts/delete-account.ts'
import { getUsage } from './accounts/get-usage.ts'
import { getUsageHistory } from './accounts/get-usage-history.ts'
import { createKey, listKeys, revokeKey } from './accounts/key-calls.ts'
import { cancelCommand } from './commands/follow/cancel-command.ts'
import { createCommandRecords, forgetAfter } from './commands/read/command-records.ts'
import { getCommandEvents } from './commands/follow/get-command-events.ts'
import { getCommandTimeline } from './commands/read/get-timeline.ts'
import { getEvents } from './commands/follow/get-events.ts'
import { watchCommandsOfAccounts, watchFilesOfAccounts } from './commands/follow/watched-rows.ts'
import { getCommandLogs } from './commands/follow/get-command-logs.ts'
import { createQueuePlaces } from './commands/read/queue-places.ts'
import { createStreams } from './commands/follow/streams.ts'
import { createCommandWatch } from './commands/follow/watch-commands.ts'
import { listCommands } from './commands/read/list-commands.ts'
import { getCommand } from './commands/read/read-calls.ts'
import { runChainedFfmpegCommands, runFfmpegCommand } from './commands/submit/submit-calls.ts'
import { abortUpload } from './files/uploads/abort-upload.ts'
import { bulkDeleteFiles, deleteCommandFiles, deleteFile } from './files/delete-calls.ts'
import { completeUpload } from './files/uploads/complete-upload.ts'
import { createDownloadUrl } from './files/file-urls.ts'
import { listFiles } from './files/list-files.ts'
import { getFile } from './files/read-calls.ts'
import { initUpload } from './files/uploads/init-upload.ts'
import { storeFile } from './files/store-file.ts'
import { validateFfmpegCommand } from './commands/submit/validate-ffmpeg-command.ts'
import { createAuthenticate } from './server/authenticate.ts'
import { createServe } from './server/serve.ts'
import { health } from './server/health.ts'
import { endpointRoutes } from './server/endpoint-routes.ts'
import { createQueueRoom } from './limits/queue-room.ts'
import { unlessPaused } from './limits/pause-watch.ts'
import type { PauseWatch } from './limits/pause-watch.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import { consolePages } from './console/console-pages.ts'
import { docsPages } from './docs/docs-pages.ts'
import { landingPage } from './pages/landing-page.ts'
import { deleteWebhook, getWebhook, putWebhook, testWebhook } from './webhooks/webhook-calls.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import type { RandomBytes } from './accounts/secrets.ts'
import { getDelivery, redeliver } from './webhooks/one-delivery.ts'
import type { ConsoleOptions } from './console/console-answers.ts'
import type { AddressRules } from '../common/network/address-policy.ts'
import type { RequestListener } from 'node:http'
import type { Effects } from '../common/runtime/effects.ts'
import type { Logger } from '../common/runtime/logger.ts'
import type { Plans } from '../common/domain/plans.ts'
import type { Store } from '../common/store/store.ts'
import type { FileUrls } from './files/file-urls.ts'
import type { ApiObjectStore } from './files/lazy-object-store.ts'
import type { Submit } from './commands/submit/submit.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { Readiness } from './server/health.ts'
import type { OpenEndpoint } from './http/endpoint.ts'
import type { Registration } from './accounts/registration/registration.ts'
import type { HttpMetrics } from './server/metrics.ts'
import type { StreamMetrics } from './server/stream-metrics.ts'
import type { UnknownKeyMetrics } from './server/unknown-keys.ts'
import type { SendNow } from './webhooks/one-delivery.ts'
import type { PostWebhook } from './webhooks/post-webhook.ts'

export interface AppDeps {
  readonly store: Store
  readonly submit: Submit
  readonly fileUrls: FileUrls
  readonly objects: ApiObjectStore
  /** Lifetime of an upload session and its URLs. */
  readonly uploadSessionSeconds: number
  /** Notifies dispatch of a new file. */
  readonly notify: () => void
  /** Calls back at the end of the present turn of the event loop. */
  readonly atTurnEnd: (callback: () => void) => void
  readonly plans: Plans
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: HttpMetrics
  readonly unknownKeyMetrics: UnknownKeyMetrics
  readonly streamMetrics: StreamMetrics
  /** Most open streams of this process. */
  readonly maxStreams: number
  readonly readiness: Readiness
  /** Aborts when this process drains, which ends streamed answers. */
  readonly draining: AbortSignal
  /** Cache TTL of command records in ms; 0 disables the cache. */
  readonly pollCacheMs: number
  readonly pauses: Pick<PauseWatch, 'current'>
  readonly postWebhook: PostWebhook
  /** Attempts a delivery that is sent again. */
  readonly sendNow: SendNow
  /** User-Agent of webhook requests. */
  readonly userAgent: string
  /** Origins whose pages may call the API; `*` is all. */
  readonly corsOrigins: readonly string[]
  /** Serve every path below `/api` too. */
  readonly serveUnderApi: boolean
  /** null if the console is disabled. */
  readonly console: ConsoleOptions | null
  /** Folder of the built site of `/docs`, if not the folder of its sources. */
  readonly docsFolder?: string
  /** null if registration is disabled. */
  readonly registration: Registration | null
  /** Whether accounts may delete themselves. */
  readonly selfDeletion: boolean
  /** Whether keys of an account may make more of them. */
  readonly selfServiceKeys: boolean
  readonly randomBytes: RandomBytes
  /** Which addresses URLs of customers may name. */
  readonly addressRules: AddressRules
  /** Number of trusted proxy hops for X-Forwarded-For. */
  readonly trustedProxies: number
}

/** The REST API. */
export function createApp(deps: AppDeps): RequestListener {
  const { store } = deps
  const { clock } = deps.effects
  const authenticate = createAuthenticate({ store, clock, metrics: deps.unknownKeyMetrics })
  const rates = createRateLimits({ store, clock })
  const served = [...endpoints(deps), ...openEndpoints(deps)]
  return createServe({
    ...deps,
    pages: [
      ...health({ ...deps, clock }),
      landingPage({ hasConsole: deps.console !== null }),
      ...docsPages(deps.docsFolder),
      ...(deps.console === null ? [] : consolePages(deps.console)),
    ],
    routes: [
      ...(deps.registration === null ? [] : [activationPage()]),
      ...endpointRoutes({ ...deps, authenticate, rates, endpoints: served }),
    ],
    operations: served.map(({ operation }) => operation),
  })
}

function endpoints(app: AppDeps): Endpoint[] {
  const { store, pollCacheMs, effects, logger } = app
  const { clock } = effects
  const queuePlaceOf = createQueuePlaces({ store })
  const records = createCommandRecords({ ...app, queuePlaceOf, clock, rememberMs: pollCacheMs })
  const watch = createCommandWatch({ store, clock, logger })
  const queueRoom = createQueueRoom({ store, clock, metrics: app.metrics })
  const streams = createStreams({ ...app, metrics: app.streamMetrics })
  const deps = { ...app, clock, records, watch, queueRoom, streams }
  return [
    unlessPaused(app.pauses, runFfmpegCommand(deps)),
    unlessPaused(app.pauses, runChainedFfmpegCommands(deps)),
    getCommand(deps),
    listCommands(deps),
    cancelCommand(deps),
    getCommandLogs(deps),
    getCommandTimeline(deps),
    getCommandEvents(deps),
    getEvents({
      ...deps,
      watch: watchCommandsOfAccounts(deps),
      fileWatch: watchFilesOfAccounts(deps),
    }),
    unlessPaused(app.pauses, storeFile(deps)),
    unlessPaused(app.pauses, initUpload(deps)),
    completeUpload(deps),
    abortUpload(deps),
    listFiles(deps),
    // Before the path with an id, which would match it too.
    forgetAfter(records, bulkDeleteFiles(deps)),
    getFile({ ...deps, downloadUrl: createDownloadUrl(app.objects) }),
    forgetAfter(records, deleteFile(deps)),
    forgetAfter(records, deleteCommandFiles(deps)),
    getWebhook(deps),
    putWebhook(deps),
    deleteWebhook(deps),
    testWebhook(deps),
    listDeliveries(deps),
    getDelivery(deps),
    redeliver(deps),
    getUsage(deps),
    getUsageHistory(deps),
    listKeys(deps),
    createKey(deps),
    revokeKey(deps),
    ...(app.selfDeletion ? [deleteAccount(deps)] : []),
    validateFfmpegCommand(deps),
  ]
}

/** Calls that need no key. */
function openEndpoints({ registration, ...deps }: AppDeps): OpenEndpoint[] {
  if (registration === null) return []
  return [registerAccount({ ...deps, registration }), activateAccount({ ...deps, registration })]
}
