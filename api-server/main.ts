import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { apiServerMetrics } from './metrics.ts'
import { storageOpeners } from './admin/storage-openers.ts'
import { readSettings } from './settings.ts'
import { serve } from './serve.ts'
import { migrate } from '../common/database/migration/migrate.ts'
import { appliedMigrations } from '../common/database/migration/schema-check.ts'
import { databaseAccess } from '../common/database/connection/database-access.ts'
import { sendHints } from '../common/database/hints/create-hints.ts'
import { rehearse } from '../common/database/connection/rehearse.ts'
import { createPool } from '../common/database/connection/pool.ts'
import { createPostgresStore } from '../common/database/postgres-store.ts'
import { armedFailpoint, directly } from '../common/runtime/failpoint.ts'
import { createLogger } from '../common/runtime/logger.ts'
import { createRegistry } from '../common/runtime/metrics.ts'
import { withHints } from '../common/store/hints.ts'
import { settingsOrExit } from '../common/settings/settings.ts'
import { crash, systemEffects } from '../common/runtime/system-effects.ts'
import packageFile from '../package.json' with { type: 'json' }
import type { Hint } from '../common/store/hints.ts'

/**
 * `main.ts` serves the REST API, `main.ts migrate` brings the database's schema up to date,
 * `main.ts admin …` manages accounts, keys and the bucket.
 */
const settings = settingsOrExit(() => readSettings(process.env))
const registry = createRegistry({ component: 'api-server', version: packageFile.version })
const metrics = apiServerMetrics(registry)
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
else {
  const environment = process.env
  await serve({
    settings,
    environment,
    effects,
    logger,
    registry,
    metrics,
    databaseOptions,
    applyMigrations,
  })
}

async function administer(): Promise<void> {
  // Loaded here, since it loads the S3 client: 12 MB that a server does not need.
  const { runAdmin } = await import('./admin/run-admin.ts')
  const database = createPool({
    ...databaseOptions,
    maxConnections: 1,
    metrics: metrics.database.pool,
  })
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
