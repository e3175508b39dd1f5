import { readsKubernetesApi } from '../common/network/network-settings.ts'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import packageFile from '../package.json' with { type: 'json' }
import { createApp } from './app.ts'
import { createSubmit } from './commands/submit/submit.ts'
import { consoleOptions } from './console/console-options.ts'
import { createDispatcher } from './dispatch/dispatcher.ts'
import { createFileUrls } from './files/file-urls.ts'
import { createLazyObjectStore } from './files/lazy-object-store.ts'
import { createPauseWatch } from './limits/pause-watch.ts'
import { tidyLimits } from './limits/tidy-limits.ts'
import { runRegistration } from './run-registration.ts'
import { webhookNetwork } from './settings.ts'
import { createPostWebhook } from './webhooks/post-webhook.ts'
import { publicAddresses } from './webhooks/public-addresses.ts'
import { createWebhookSender } from './webhooks/webhook-sender.ts'
import { createFfmpegCommands } from '../common/kubernetes/resources/ffmpeg-commands.ts'
import { createLeases } from '../common/kubernetes/resources/leases.ts'
import { createStoredFiles } from '../common/kubernetes/resources/stored-files.ts'
import { addressRules } from '../common/network/address-policy.ts'
import { createApiAddresses } from '../common/network/kubernetes-api.ts'
import { loopPart } from '../common/runtime/loop.ts'
import { objectStoreOptions } from '../common/storage/object-store-options.ts'
import type { ApiServerMetrics } from './metrics.ts'
import type { Express } from 'express'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { Readiness } from './middleware/while-serving.ts'
import type { StorageDeps, WebDeps } from './routers/app-deps.ts'
import type { ApiServerSettings } from './settings.ts'
import type { OpenDatabase } from '../common/database/open-database.ts'
import type { KubeClient } from '../common/kubernetes/client.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Part } from '../common/runtime/lifecycle.ts'
import type { Logger } from '../common/runtime/logger.ts'

export interface ApiServerDeps {
  readonly settings: ApiServerSettings
  /** Kubernetes names its API server in it. */
  readonly environment: NodeJS.ProcessEnv
  readonly database: Pick<OpenDatabase, 'store' | 'hints'>
  readonly client: KubeClient
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: ApiServerMetrics
}

export interface ApiServer {
  readonly app: Express
  /** Work beside the requests, in the order of its start. */
  readonly parts: readonly Part[]
  readonly readiness: Readiness
  /** Aborted when open streams are to end. */
  readonly draining: AbortController
}

const userAgent = `cloud-ffmpeg/${packageFile.version}`

/** Connects the parts of the API server; nothing runs yet. */
export function createApiServer(deps: ApiServerDeps): ApiServer {
  const { settings, database, effects, logger } = deps
  const { store, hints } = database
  const readiness: Readiness = { state: 'starting' }
  const draining = new AbortController()
  const dispatcher = dispatcherOf(deps)
  const storage = storageOf(deps, dispatcher)
  const webhooks = webhooksOf(deps, storage)
  const pauses = createPauseWatch({
    store,
    hints,
    effects,
    logger,
    metrics: deps.metrics.pauses,
  })
  const { registration, parts: mails } = runRegistration(settings, {
    store,
    effects,
    logger,
    randomBytes,
  })
  const app = createApp({
    effects,
    logger,
    storage,
    limits: {
      plans: settings.plans,
      pauses,
      addressRules: addressRules(webhookNetwork(settings)),
    },
    accounts: {
      registration,
      selfDeletion: settings.accounts.selfDeletion,
      selfServiceKeys: settings.accounts.selfServiceKeys,
      randomBytes,
    },
    streams: {
      maxStreams: settings.apiServer.streams,
      metrics: deps.metrics.streams,
      draining: draining.signal,
    },
    webhooks: webhooks.calls,
    web: webOf(deps, readiness),
  })
  const parts = [
    pauses,
    webhooks.kubernetesApi,
    loopPart('webhooks', webhooks.run),
    ...mails,
    loopPart('limits', (signal) => tidyLimits({ store, effects, logger }).run(signal)),
    loopPart('dispatch', dispatcher.run),
  ]
  return { app, parts, readiness, draining }
}

function dispatcherOf(deps: ApiServerDeps): Dispatcher {
  const { settings, database, client, effects, logger } = deps
  return createDispatcher({
    ...database,
    commands: createFfmpegCommands(client),
    storedFiles: createStoredFiles(client),
    leases: createLeases(client),
    namespace: settings.runner.namespace,
    liveCommands: settings.apiServer.liveCommands,
    lookAhead: settings.apiServer.lookAhead,
    effects,
    logger,
    metrics: deps.metrics.dispatch,
  })
}

function storageOf(
  { settings, database: { store }, effects }: ApiServerDeps,
  { notify }: Dispatcher,
): StorageDeps {
  const objects = createLazyObjectStore(objectStoreOptions(settings))
  return {
    store,
    objects,
    fileUrls: createFileUrls({
      publicBaseUrl: settings.storage.publicBaseUrl,
      presign: (key, expiresSeconds) =>
        objects.presignGet({ key, expiresSeconds, endpoint: 'public' }),
    }),
    submit: createSubmit({ store, effects, notify, atTurnEnd: setImmediate }),
    notify,
    atTurnEnd: setImmediate,
    uploadSessionSeconds: settings.apiServer.uploadSessionSeconds,
    pollCacheMs: settings.apiServer.pollCacheMs,
  }
}

function webhooksOf(deps: ApiServerDeps, { fileUrls }: StorageDeps) {
  const { settings, environment, database, client, effects, logger } = deps
  const kubernetesApi = createApiAddresses({
    kube: readsKubernetesApi(settings) ? client : null,
    environment,
    effects,
    logger,
  })
  const postWebhook = createPostWebhook({
    network: webhookNetwork(settings),
    kubernetesApi: kubernetesApi.current,
    resolve: publicAddresses(),
    resolveOwn: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    clock: effects.clock,
  })
  const { run, sendNow } = createWebhookSender({
    ...database,
    fileUrls,
    plans: settings.plans,
    post: postWebhook,
    effects,
    userAgent,
    concurrency: settings.webhooks.concurrency,
    logger,
    metrics: deps.metrics.webhooks,
  })
  return { run, calls: { postWebhook, sendNow, userAgent }, kubernetesApi: kubernetesApi.part }
}

function webOf({ settings, metrics }: ApiServerDeps, readiness: Readiness): WebDeps {
  return {
    readiness,
    metrics: metrics.http,
    unknownKeyMetrics: metrics.unknownKeys,
    corsOrigins: settings.api.corsOrigins,
    serveUnderApi: settings.api.serveUnderApi,
    trustedProxies: settings.api.trustedProxies,
    console: consoleOptions(settings),
  }
}
