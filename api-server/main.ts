import { addressRules } from '../common/network/address-policy.ts'
import { lookup } from 'node:dns/promises'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { firstKeyReader } from './accounts/first-key.ts'
import { createKubeSecrets } from './accounts/kube-secrets.ts'
import { hostname } from 'node:os'
import { storageOpeners } from './admin/storage-openers.ts'
import { runRegistration } from './run-registration.ts'
import { runServer } from './run-server.ts'
import { createApp } from './app.ts'
import { consoleOptions } from './console/console-options.ts'
import { createStreamMetrics } from './server/stream-metrics.ts'
import { createFileUrls } from './files/file-urls.ts'
import { createLazyObjectStore } from './files/lazy-object-store.ts'
import { createSubmit } from './commands/submit/submit.ts'
import { createDispatchMetrics } from './dispatch/dispatch-metrics.ts'
import { createDispatcher } from './dispatch/dispatcher.ts'
import { createListener } from '../common/runtime/listener.ts'
import { createHttpMetrics, metricsServer } from './server/metrics.ts'
import { createUnknownKeyMetrics } from './server/unknown-keys.ts'
import { createPauseMetrics } from './limits/pause-metrics.ts'
import { createPauseWatch } from './limits/pause-watch.ts'
import { tidyLimits } from './limits/tidy-limits.ts'
import { prepareDatabase } from './prepare-database.ts'
import { publicAddresses } from './webhooks/public-addresses.ts'
import { createPostWebhook } from './webhooks/post-webhook.ts'
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts'
import { createWebhookSender } from './webhooks/webhook-sender.ts'
import { firstKeySource, readSettings, webhookNetwork } from './settings.ts'
import { migrate } from '../common/database/migration/migrate.ts'
import { appliedMigrations, missingMigrations } from '../common/database/migration/schema-check.ts'
import { databaseAccess, installationOf } from '../common/database/connection/database-access.ts'
import { sendHints } from '../common/database/hints/create-hints.ts'
import { rehearse } from '../common/database/connection/rehearse.ts'
import { openDatabase } from '../common/database/open-database.ts'
import { createPool } from '../common/database/connection/pool.ts'
import { createPostgresStore } from '../common/database/postgres-store.ts'
import { armedFailpoint, directly } from '../common/runtime/failpoint.ts'
import { createKubeClient } from '../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../common/kubernetes/resources/ffmpeg-commands.ts'
import { createLeases } from '../common/kubernetes/resources/leases.ts'
import { createStoredFiles } from '../common/kubernetes/resources/stored-files.ts'
import { createKubeMetrics } from '../common/kubernetes/kube-metrics.ts'
import { createRequestThrottle } from '../common/kubernetes/throttle/request-throttle.ts'
import { createApiAddresses } from '../common/network/kubernetes-api.ts'
import { accessFrom } from '../common/kubernetes/access/access-from.ts'
import { createSystemTransport } from '../common/kubernetes/system-transport.ts'
import { loopPart } from '../common/runtime/loop.ts'
import { readsKubernetesApi } from '../common/network/network-settings.ts'
import { createLogger } from '../common/runtime/logger.ts'
import { createRegistry } from '../common/runtime/metrics.ts'
import { objectStoreOptions } from '../common/storage/object-store-options.ts'
import { withHints } from '../common/store/hints.ts'
import { settingsOrExit } from '../common/settings/settings.ts'
import { crash, systemEffects } from '../common/runtime/system-effects.ts'
import packageFile from '../package.json' with { type: 'json' }
import type { Hint } from '../common/store/hints.ts'
import type { Readiness } from './middleware/while-serving.ts'

/**
 * `main.ts` serves the REST API, `main.ts migrate` brings the database's schema up to date,
 * `main.ts admin …` manages accounts, keys and the bucket.
 */
const settings = settingsOrExit(() => readSettings(process.env))
const registry = createRegistry({ component: 'api-server', version: packageFile.version })
const failpoints = settings.environment.CLOUD_FFMPEG_FAILPOINTS ?? ''
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const { clock } = effects
const logger = createLogger({
  component: 'api-server',
  level: settings.logLevel,
  clock,
})

const databaseOptions = {
  ...databaseAccess(settings),
  applicationName: 'cloud-ffmpeg-api-server',
  statementTimeoutMs: 10_000,
  clock,
  registry,
}

const release = packageFile.version
const applyMigrations = (signal?: AbortSignal): Promise<string[]> =>
  migrate({
    // Without the setting, the administrator who runs the migrate command gives the URL of the server.
    connectionString: databaseOptions.directConnectionString ?? databaseOptions.connectionString,
    effects,
    ...(signal === undefined ? {} : { signal }),
  })

if (process.argv[2] === 'migrate') await migrateOnly()
else if (process.argv[2] === 'admin') await administer()
else await serve()

async function administer(): Promise<void> {
  // Loaded here, since it loads the S3 client: 12 MB that a server does not need.
  const { runAdmin } = await import('./admin/run-admin.ts')
  const database = createPool({ ...databaseOptions, maxConnections: 1 })
  const given = new Set<Hint>()
  process.exitCode = await runAdmin(
    process.argv.slice(3),
    {
      store: withHints(createPostgresStore(database), (hint) => given.add(hint)),
      rehearse: (work) => rehearse(database, (within) => work(createPostgresStore(within))),
      report: (text) => console.error(text),
      plans: settings.plans,
      defaultPlan: settings.accounts.plan,
      newId: () => effects.newId(),
      host: hostname(),
      effects,
      randomBytes,
      readMigrations: () => appliedMigrations(database.query),
      process: {
        version: release,
        settings: { ...settings, environment: undefined },
        environment: process.env,
        readMetrics: () => readText(`http://127.0.0.1:${settings.metrics.port}/metrics`),
      },
      ...storageOpeners(settings),
    },
    { print: (text) => console.log(text), complain: (text) => console.error(text) },
  )
  await sendHints(database.query, [...given])
  await database.close()
}

/** @returns null if nothing answers */
async function readText(url: string): Promise<string | null> {
  try {
    return await (await fetch(url)).text()
  } catch {
    return null
  }
}

async function migrateOnly(): Promise<void> {
  try {
    logger.info('migrated', { migrations: await applyMigrations() })
  } catch (error) {
    logger.error('migration failed', { error })
    process.exitCode = 1
  }
}

async function serve(): Promise<void> {
  const { database, store, hints, claim, parts } = openDatabase({
    ...databaseOptions,
    effects,
    logger,
    installation: installationOf(settings),
    priorityAgeSeconds: settings.operator.priorityAgeSeconds,
  })
  const transport = createSystemTransport({ clock, loadAccess: () => accessFrom(process.env) })
  const metrics = createKubeMetrics(registry)
  const client = createKubeClient({
    transport,
    clock,
    random: () => effects.random(),
    metrics,
    // Dispatch after an outage is a burst of creates, which API Priority and Fairness of kube-apiserver limits.
    throttle: createRequestThrottle({ clock, perSecond: 400, burst: 400, waited: metrics.waited }),
  })
  const dispatcher = createDispatcher({
    store,
    commands: createFfmpegCommands(client),
    storedFiles: createStoredFiles(client),
    leases: createLeases(client),
    namespace: settings.runner.namespace,
    liveCommands: settings.apiServer.liveCommands,
    lookAhead: settings.apiServer.lookAhead,
    hints,
    effects,
    logger,
    metrics: createDispatchMetrics(registry),
  })
  const readiness: Readiness = { state: 'starting' }
  const objects = createLazyObjectStore(objectStoreOptions(settings))
  const fileUrls = createFileUrls({
    publicBaseUrl: settings.storage.publicBaseUrl,
    presign: (key, expiresSeconds) =>
      objects.presignGet({ key, expiresSeconds, endpoint: 'public' }),
  })
  const kubernetesApi = createApiAddresses({
    kube: readsKubernetesApi(settings) ? client : null,
    environment: process.env,
    effects,
    logger,
  })
  const postWebhook = createPostWebhook({
    network: webhookNetwork(settings),
    kubernetesApi: kubernetesApi.current,
    resolve: publicAddresses(),
    resolveOwn: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    clock,
  })
  const userAgent = `cloud-ffmpeg/${packageFile.version}`
  const webhooks = createWebhookSender({
    store,
    fileUrls,
    plans: settings.plans,
    post: postWebhook,
    effects,
    userAgent,
    concurrency: settings.webhooks.concurrency,
    hints,
    logger,
    metrics: createWebhookMetrics(registry),
  })
  const { registration, parts: mails } = runRegistration(settings, {
    store,
    effects,
    logger,
    randomBytes,
  })
  const draining = new AbortController()
  const pauses = createPauseWatch({
    store,
    hints,
    effects,
    logger,
    metrics: createPauseMetrics(registry),
  })
  const app = createApp({
    effects,
    logger,
    storage: {
      store,
      objects,
      fileUrls,
      submit: createSubmit({ store, effects, notify: dispatcher.notify, atTurnEnd: setImmediate }),
      notify: dispatcher.notify,
      atTurnEnd: setImmediate,
      uploadSessionSeconds: settings.apiServer.uploadSessionSeconds,
      pollCacheMs: settings.apiServer.pollCacheMs,
    },
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
      metrics: createStreamMetrics(registry),
      draining: draining.signal,
    },
    webhooks: { postWebhook, sendNow: webhooks.sendNow, userAgent },
    web: {
      readiness,
      metrics: createHttpMetrics(registry),
      unknownKeyMetrics: createUnknownKeyMetrics(registry),
      corsOrigins: settings.api.corsOrigins,
      serveUnderApi: settings.api.serveUnderApi,
      trustedProxies: settings.api.trustedProxies,
      console: consoleOptions(settings),
    },
  })
  const api = createListener(createServer(app), { port: settings.apiServer.port, clock })
  const figures = createListener(metricsServer(registry), {
    port: settings.metrics.port,
    clock,
  })
  await runServer({
    api,
    metrics: figures,
    readiness,
    draining,
    clock,
    logger,
    drainSeconds: settings.apiServer.drainSeconds,
    async closeConnections() {
      await transport.close()
      await database.close()
    },
    prepareDatabase: (signal) =>
      prepareDatabase(
        {
          store,
          effects,
          logger,
          claim,
          migrate: settings.apiServer.migrate
            ? async () => {
                // The library takes longer to load than a server to start.
                const missing = await missingMigrations(database.query)
                return missing.length === 0 ? [] : applyMigrations(signal)
              }
            : null,
        },
        {
          account: settings.bootstrap.account,
          plan: settings.bootstrap.plan,
          readApiKey: firstKeyReader(
            { secrets: createKubeSecrets(client), effects, randomBytes },
            firstKeySource(settings),
          ),
        },
        signal,
      ),
    parts: [
      ...parts,
      pauses,
      kubernetesApi.part,
      loopPart('webhooks', webhooks.run),
      ...mails,
      loopPart('limits', (signal) => tidyLimits({ store, effects, logger }).run(signal)),
      loopPart('dispatch', dispatcher.run),
    ],
  })
}
