import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { firstKeyReader } from './accounts/first-key.ts'
import { createKubeSecrets } from './accounts/kube-secrets.ts'
import { createApiServer } from './create-api-server.ts'
import { prepareDatabase } from './prepare-database.ts'
import { runServer } from './run-server.ts'
import { answerUnreadable } from './server/unreadable-requests.ts'
import { metricsServer } from './server/metrics.ts'
import { firstKeySource } from './settings.ts'
import { missingMigrations } from '../common/database/migration/schema-check.ts'
import { installationOf } from '../common/database/connection/database-access.ts'
import { openDatabase } from '../common/database/open-database.ts'
import { accessFrom } from '../common/kubernetes/access/access-from.ts'
import { createKubeClient } from '../common/kubernetes/client.ts'
import { createSystemTransport } from '../common/kubernetes/system-transport.ts'
import { createRequestThrottle } from '../common/kubernetes/throttle/request-throttle.ts'
import { createListener } from '../common/runtime/listener.ts'
import type { Registry } from 'prom-client'
import type { ApiServerDeps } from './create-api-server.ts'
import type { OpenDatabase } from '../common/database/open-database.ts'
import type { DatabaseAccess } from '../common/database/connection/database-access.ts'
import type { PoolOptions } from '../common/database/connection/pool.ts'
import type { KubeClient } from '../common/kubernetes/client.ts'
import type { SystemTransport } from '../common/kubernetes/system-transport.ts'

interface ServeDeps extends Omit<ApiServerDeps, 'database' | 'client'> {
  readonly registry: Registry
  readonly databaseOptions: Omit<PoolOptions, 'metrics'> & DatabaseAccess
  /** @returns names of the applied files */
  readonly applyMigrations: (signal: AbortSignal) => Promise<string[]>
}

/** Opens the connections of the process, and serves until a signal ends it. */
export async function serve(deps: ServeDeps): Promise<void> {
  const { settings, effects, logger, registry } = deps
  const { clock } = effects
  const database = openDatabase({
    ...deps.databaseOptions,
    metrics: deps.metrics.database,
    effects,
    logger,
    installation: installationOf(settings),
    priorityAgeSeconds: settings.operator.priorityAgeSeconds,
  })
  const transport = createSystemTransport({ clock, loadAccess: () => accessFrom(deps.environment) })
  const client = kubeClient(deps, transport)
  const { app, parts, readiness, draining } = createApiServer({ ...deps, database, client })
  await runServer({
    api: createListener(answerUnreadable(createServer(app)), {
      port: settings.apiServer.port,
      clock,
    }),
    metrics: createListener(metricsServer(registry), {
      port: settings.metrics.port,
      clock,
    }),
    readiness,
    draining,
    clock,
    logger,
    drainSeconds: settings.apiServer.drainSeconds,
    async closeConnections() {
      await transport.close()
      await database.database.close()
    },
    prepareDatabase: (signal) => prepare(deps, database, client, signal),
    parts: [...database.parts, ...parts],
  })
}

function kubeClient(
  { effects, metrics: { kube } }: ServeDeps,
  transport: SystemTransport,
): KubeClient {
  const { clock } = effects
  return createKubeClient({
    transport,
    clock,
    random: () => effects.random(),
    metrics: kube,
    // Dispatch after an outage is a burst of creates, which API Priority and Fairness of kube-apiserver limits.
    throttle: createRequestThrottle({ clock, perSecond: 400, burst: 400, waited: kube.waited }),
  })
}

function prepare(
  { settings, effects, logger, applyMigrations }: ServeDeps,
  { store, claim, database }: OpenDatabase,
  client: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  async function migrate(): Promise<string[]> {
    // The library takes longer to load than a server to start.
    const missing = await missingMigrations(database.query)
    return missing.length === 0 ? [] : applyMigrations(signal)
  }
  return prepareDatabase(
    { store, effects, logger, claim, migrate: settings.apiServer.migrate ? migrate : null },
    {
      account: settings.bootstrap.account,
      plan: settings.bootstrap.plan,
      readApiKey: firstKeyReader(
        { secrets: createKubeSecrets(client), effects, randomBytes },
        firstKeySource(settings),
      ),
    },
    signal,
  )
}
