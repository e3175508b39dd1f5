import packageFile from '../package.json' with { type: 'json' }
import { databaseAccess } from '../common/database/connection/database-variables.ts'
import { openDatabase } from '../common/database/open-database.ts'
import { armedFailpoint, directly } from '../common/runtime/failpoint.ts'
import { cancelledBy } from '../common/kubernetes/cancelled-by.ts'
import { createEvents } from '../common/kubernetes/resources/events.ts'
import { createLeases } from '../common/kubernetes/resources/leases.ts'
import { createPods } from '../common/kubernetes/resources/pods.ts'
import { createWorkMetadata } from '../common/kubernetes/resources/work-metadata.ts'
import { createApiAddresses } from '../common/network/kubernetes-api.ts'
import { accessFrom } from '../common/kubernetes/access/access-from.ts'
import { createSystemTransport } from '../common/kubernetes/system-transport.ts'
import { createLogger } from '../common/runtime/logger.ts'
import { createRegistry } from '../common/runtime/metrics.ts'
import { createObjectStore } from '../common/storage/create-object-store.ts'
import { gatewayAudience } from '../common/domain/resource-names.ts'
import { objectStoreOptions } from '../common/storage/storage-variables.ts'
import { readSettings, settingsOrExit } from '../common/settings/settings.ts'
import { crash, systemEffects } from '../common/runtime/system-effects.ts'
import {
  controllerSettings,
  electionTiming,
  gatewayAddress,
  gatewaySettings,
  gatewayTlsFolder,
  liveJobs,
} from './configuration.ts'
import { canResizePods } from './warm/resize-support.ts'
import { createNoticeForeign } from './loops/foreign/notice-foreign.ts'
import { createClusterKeys } from './gateway/identity/cluster-keys.ts'
import { createRunnerIdentity } from './gateway/identity/runner-identity.ts'
import { createGatewayServer } from './gateway/server.ts'
import { createGatewayTls } from './gateway/tls/gateway-tls.ts'
import { createStandbyWaiters } from './warm/standby-waiters.ts'
import { createEventRecorder } from './machinery/event-recorder.ts'
import { createKubeClients } from './machinery/kube-clients.ts'
import { createLeader } from './machinery/election/leader.ts'
import type { Term } from './machinery/election/leader.ts'
import { createHolderCheck, identityOf } from './machinery/election/lease-holder.ts'
import { createHousekeeping } from './controller/housekeeping.ts'
import { operatorMetrics } from './metrics.ts'
import { createOperator } from './operator.ts'
import { createOperatorProcess } from './operator-process.ts'
import { createProbeServer } from './probes.ts'
import { createListener } from '../common/runtime/listener.ts'
import { variables } from './settings.ts'
import { createRequestPace } from '../common/database/connection/request-pace.ts'
import { waitForSchema } from './controller/wait-for-schema.ts'

/** A reflector without any contact for this long will not reconnect by itself. */
const deafMs = 10 * 60_000

const settings = settingsOrExit(() => readSettings(variables, process.env))
const namespace = settings.CLOUD_FFMPEG_NAMESPACE
const namespaces = [
  namespace,
  ...settings.CLOUD_FFMPEG_WATCH_NAMESPACES.filter((other) => other !== namespace),
]
const registry = createRegistry({ component: 'operator', version: packageFile.version })
const metrics = operatorMetrics(registry)
const failpoints = settings.CLOUD_FFMPEG_FAILPOINTS
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const { clock } = effects
const logger = createLogger({
  component: 'operator',
  level: settings.CLOUD_FFMPEG_LOG_LEVEL,
  clock,
})
const timing = settingsOrExit(() => electionTiming(settings))
const holder = {
  podName: settings.CLOUD_FFMPEG_POD_NAME,
  podUid: settings.CLOUD_FFMPEG_POD_UID,
  startedAt: new Date(clock.wall().getTime() - process.uptime() * 1000),
}
const identity = identityOf(holder)
const leaseNamespace = settings.CLOUD_FFMPEG_LEASE_NAMESPACE ?? namespace

const pace = createRequestPace(clock)
const { database, store, hints, claim, parts } = openDatabase({
  ...databaseAccess(settings),
  relaxedProgress: settings.CLOUD_FFMPEG_DATABASE_RELAXED_PROGRESS,
  applicationName: 'cloud-ffmpeg-operator',
  statementTimeoutMs: 10_000,
  priorityAgeSeconds: settings.CLOUD_FFMPEG_PRIORITY_AGE_SECONDS,
  installation: settings.CLOUD_FFMPEG_INSTALLATION ?? null,
  effects,
  clock,
  metrics: metrics.database,
  logger,
  times: pace.times,
})
const storage = createObjectStore(objectStoreOptions(settings))

const transport = createSystemTransport({ clock, loadAccess: () => accessFrom(process.env) })
const { kube, tidyKube, electionKube, throttle } = createKubeClients({
  transport,
  clock,
  random: () => effects.random(),
  metrics,
  logger,
  rate: {
    perSecond: settings.CLOUD_FFMPEG_KUBE_REQUESTS_PER_SECOND,
    burst: settings.CLOUD_FFMPEG_KUBE_BURST,
  },
})
const events = createEvents(tidyKube)
const reporter = {
  reportingController: 'cloudffmpeg.dev/operator',
  reportingInstance: settings.CLOUD_FFMPEG_POD_NAME,
}
const recorder = createEventRecorder({
  ...reporter,
  events,
  clock,
  newId: () => effects.newId(),
  enabled: settings.CLOUD_FFMPEG_EVENTS,
  logger,
})
const tls = settingsOrExit(() => {
  const folder = gatewayTlsFolder(settings)
  return folder === null ? null : createGatewayTls(folder, { effects, logger })
})
const kubernetesApi = createApiAddresses({
  kube: settings.CLOUD_FFMPEG_READ_KUBERNETES_API ? tidyKube : null,
  environment: process.env,
  effects,
  logger,
})

const { caches, gateway, leadership } = createOperator({
  kube: { client: kube, throttle },
  database: { store, hints },
  storage,
  leading: {
    createLeader: (deps) =>
      createLeader({
        ...deps,
        onStuck: () => operator.stop('work of a lost Lease did not stop in time', 1),
        leases: createLeases(electionKube),
        namespace: leaseNamespace,
        name: settings.CLOUD_FFMPEG_LEASE_NAME,
        identity,
        address: gatewayAddress(settings),
        hasEnded: createHolderCheck({
          pods: createPods(electionKube),
          namespace: leaseNamespace,
          container: 'operator',
          own: holder,
          deadlineMs: timing.deadlineMs,
          logger,
        }),
        timing,
      }),
    partsOf: (term, client) => ({
      recorder,
      canResize: () => canResizePods(client),
      housekeeping: createHousekeeping({
        store,
        storage,
        plans: settings.CLOUD_FFMPEG_PLANS,
        isSlow: pace.isSlow,
        term,
        effects,
        metrics: metrics.controller,
        retentionMetrics: metrics.retention,
        logger,
      }),
      noticeForeign:
        settings.CLOUD_FFMPEG_EVENTS && settings.CLOUD_FFMPEG_NOTICE_FOREIGN
          ? noticeForeignIn(term)
          : null,
    }),
  },
  runners: {
    waiters: createStandbyWaiters(clock),
    identityOf: (seen) =>
      createRunnerIdentity({
        clusterKeys: createClusterKeys(kube),
        clock,
        audience: gatewayAudience,
        namespaces,
        namespaceOf: (commandId) => seen.commandsOf(commandId)[0]?.metadata.namespace ?? null,
        serviceAccount: settings.CLOUD_FFMPEG_RUNNER_SERVICE_ACCOUNT,
      }),
    kubernetesApi: kubernetesApi.current,
  },
  settings: {
    namespaces,
    plans: settings.CLOUD_FFMPEG_PLANS,
    controller: controllerSettings(settings, () => tls?.ca() ?? null),
    gateway: gatewaySettings(settings),
  },
  metrics,
  effects,
  logger,
})
const server = createGatewayServer(
  { gateway, effects, metrics: metrics.gateway, logger },
  {
    port: settings.CLOUD_FFMPEG_GATEWAY_PORT,
    tls,
    maxConnections: settings.CLOUD_FFMPEG_GATEWAY_CONNECTIONS ?? 2 * liveJobs(settings) + 100,
    connectionsPerAddress: settings.CLOUD_FFMPEG_GATEWAY_CONNECTIONS_PER_ADDRESS,
    inFlightMbytes: settings.CLOUD_FFMPEG_GATEWAY_IN_FLIGHT_MBYTES,
  },
)

const probes = createListener(
  createProbeServer(registry, {
    live: () => (caches.msSinceContact() > deafMs ? 'no contact to the API server' : null),
    ready: () => (operator.isReady() ? null : 'starting or stopping'),
  }),
  { port: settings.CLOUD_FFMPEG_METRICS_PORT, clock },
)
const operator = createOperatorProcess({
  probes,
  caches,
  gateway: server,
  leadership,
  clock,
  logger,
  parts: [...parts, kubernetesApi.part],
  about: { identity, namespaces },
  async closeConnections() {
    await transport.close()
    await database.close()
    storage.close()
  },
  flushEvents: () => recorder.flush(),
  waitForSchema: (signal) => waitForSchema({ store, claim, clock, logger }, signal),
})
await operator.start()

function noticeForeignIn(term: Term): (signal: AbortSignal) => Promise<void> {
  return createNoticeForeign({
    ...reporter,
    kinds: createWorkMetadata(cancelledBy(tidyKube, term.lost)),
    events,
    namespaces,
    release: `${leaseNamespace}/${settings.CLOUD_FFMPEG_LEASE_NAME}`,
    term,
    effects,
    logger,
  })
}
