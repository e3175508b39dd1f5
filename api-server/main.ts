import { createServer } from 'node:http'
import { KubeConfig } from '@kubernetes/client-node'
import { Registry } from 'prom-client'
import { createApp } from './app.ts'
import { createFileUrls } from './files/file-urls.ts'
import { createPresign } from './files/presign.ts'
import { createSubmit } from './commands/submit.ts'
import { createDispatchMetrics } from './dispatch/dispatch-metrics.ts'
import { createDispatcher } from './dispatch/dispatcher.ts'
import { createListener } from './http/listener.ts'
import { createHttpMetrics, metricsServer } from './http/metrics.ts'
import { prepareDatabase } from './prepare-database.ts'
import { checkedSettings, objectStoreOptions, variables } from './settings.ts'
import { migrate } from '../common/database/migrate.ts'
import { createPool } from '../common/database/pool.ts'
import { createPostgresStore } from '../common/database/postgres-store.ts'
import { sleep } from '../common/effects.ts'
import { armedFailpoint, directly } from '../common/failpoint.ts'
import { createKubeClient } from '../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../common/kubernetes/ffmpeg-commands.ts'
import { createKubeMetrics } from '../common/kubernetes/kube-metrics.ts'
import { createSystemTransport } from '../common/kubernetes/system-transport.ts'
import { createLifecycle } from '../common/lifecycle.ts'
import { createLogger } from '../common/logger.ts'
import { createRegistry } from '../common/metrics.ts'
import { InvalidSettings, readSettings } from '../common/settings.ts'
import { crash, systemEffects } from '../common/system-effects.ts'
import packageFile from '../package.json' with { type: 'json' }
import type { Readiness } from './http/health.ts'

/** `main.ts` serves the REST API, `main.ts migrate` brings the database's schema up to date. */
const settings = settingsOrExit()
const logger = createLogger({ component: 'api-server', level: settings.CLOUD_FFMPEG_LOG_LEVEL })
const registry = createRegistry({ component: 'api-server', version: packageFile.version })
const failpoints = settings.CLOUD_FFMPEG_FAILPOINTS
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const { clock } = effects

const databaseOptions = {
  connectionString: settings.CLOUD_FFMPEG_DATABASE_URL,
  maxConnections: settings.CLOUD_FFMPEG_DATABASE_CONNECTIONS,
  applicationName: 'cloud-ffmpeg-api-server',
  statementTimeoutMs: 10_000,
  clock,
  registry,
}

if (process.argv[2] === 'migrate') await migrateOnly()
else await serve()

async function migrateOnly(): Promise<void> {
  try {
    logger.info('migrated', await migrateSchema())
  } catch (error) {
    logger.error('not migrated', { error })
    process.exitCode = 1
  }
}

/** On a connection of its own: a large table takes longer than any other statement may. */
async function migrateSchema(): Promise<{ from: number; to: number }> {
  const patient = { maxConnections: 1, statementTimeoutMs: 3_600_000, registry: new Registry() }
  const connection = createPool({ ...databaseOptions, ...patient })
  try {
    return await migrate(connection)
  } finally {
    await connection.close()
  }
}

async function serve(): Promise<void> {
  const database = createPool(databaseOptions)
  const store = createPostgresStore(database)
  const transport = createSystemTransport({ loadConfig: kubeConfig, clock })
  const metrics = createKubeMetrics(registry)
  const client = createKubeClient({
    transport,
    clock,
    random: () => effects.random(),
    metrics,
    // Dispatch after an outage is a burst of creates, which the server's own fairness holds back.
    limits: { perSecond: 400, burst: 400 },
  })
  const dispatcher = createDispatcher({
    store,
    commands: createFfmpegCommands(client),
    namespace: settings.CLOUD_FFMPEG_NAMESPACE,
    liveCommands: settings.CLOUD_FFMPEG_LIVE_COMMANDS,
    effects,
    logger,
    metrics: createDispatchMetrics(registry),
  })
  const readiness: Readiness = { state: 'starting' }
  const app = createApp({
    store,
    submit: createSubmit({ store, effects, nudge: dispatcher.nudge, atTurnEnd: setImmediate }),
    fileUrls: createFileUrls({
      publicBaseUrl: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL,
      presign: createPresign(objectStoreOptions(settings)),
    }),
    plans: settings.CLOUD_FFMPEG_PLANS,
    effects,
    logger,
    metrics: createHttpMetrics(registry),
    readiness,
    serveUnderApi: settings.CLOUD_FFMPEG_SERVE_UNDER_API,
  })
  const api = createListener(createServer(app), settings.CLOUD_FFMPEG_PORT, clock)
  const figures = createListener(metricsServer(registry), settings.CLOUD_FFMPEG_METRICS_PORT, clock)
  const stopping = new AbortController()
  const dispatch = new AbortController()
  let dispatching = Promise.resolve()

  const lifecycle = createLifecycle(
    [
      { name: 'metrics', start: figures.start, stop: () => figures.stop(1_000) },
      {
        name: 'connections',
        start: async () => undefined,
        stop: async () => {
          await transport.close()
          await database.close()
        },
      },
      { name: 'listener', start: api.start, stop: () => api.stop(1_000) },
      {
        name: 'database',
        start: () =>
          prepareDatabase(
            {
              store,
              effects,
              logger,
              migrate: settings.CLOUD_FFMPEG_MIGRATE ? migrateSchema : null,
            },
            {
              account: settings.CLOUD_FFMPEG_BOOTSTRAP_ACCOUNT,
              plan: settings.CLOUD_FFMPEG_BOOTSTRAP_PLAN,
              apiKey: settings.CLOUD_FFMPEG_BOOTSTRAP_API_KEY,
            },
            stopping.signal,
          ),
        stop: async () => undefined,
      },
      {
        name: 'dispatch',
        async start() {
          dispatching = dispatcher.run(dispatch.signal)
        },
        stop() {
          dispatch.abort()
          return dispatching
        },
      },
      {
        name: 'traffic',
        async start() {
          readiness.state = 'serving'
        },
        async stop() {
          readiness.state = 'draining'
          await sleep(clock, settings.CLOUD_FFMPEG_DRAIN_SECONDS * 1_000)
          await api.stop(15_000)
        },
      },
    ],
    logger,
  )

  const stop = (signal: NodeJS.Signals) => {
    logger.info('stopping', { signal })
    stopping.abort(new Error('stopping'))
    void lifecycle.stop()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    await lifecycle.start()
    logger.info('started', { port: api.port(), seconds: process.uptime() })
  } catch (error) {
    if (stopping.signal.aborted) return
    logger.error('cannot start', { error })
    process.exitCode = 1
    await lifecycle.stop()
  }
}

function kubeConfig(): KubeConfig {
  const config = new KubeConfig()
  config.loadFromDefault()
  return config
}

function settingsOrExit() {
  try {
    return checkedSettings(readSettings(variables, process.env))
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    console.error(error.message)
    return process.exit(1)
  }
}
