import packageFile from '../package.json' with { type: 'json' }
import { databaseAccess, installationOf } from '../common/database/connection/database-access.ts'
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
import { readsKubernetesApi } from '../common/network/network-settings.ts'
import { createLogger } from '../common/runtime/logger.ts'
import { createRegistry } from '../common/runtime/metrics.ts'
import { createObjectStore } from '../common/storage/create-object-store.ts'
import { gatewayAudience } from '../common/domain/resource-names.ts'
import { objectStoreOptions } from '../common/storage/object-store-options.ts'
import { settingsOrExit } from '../common/settings/settings.ts'
import { crash, systemEffects } from '../common/runtime/system-effects.ts'
import {
  controllerSettings,
  electionTiming,
  gatewayAddress,
  gatewaySettings,
  gatewayTlsFolder,
  leaseName,
  liveJobs,
  noticesForeign,
  ownPod,
  runnerServiceAccount,
} from './configuration.ts'
import { canResizePods } from './warm/resize-support.ts'
import { createNoticeForeign } from './loops/foreign/notice-foreign.ts'
import { createClusterKeys } from './gateway/identity/cluster-keys.ts'
import { createRunnerIdentity } from './gateway/identity/runner-identity.ts'
import { createGatewayServer } from './gateway/server.ts'
import { createGatewayTls } from './gateway/tls/gateway-tls.ts'
import { createWarmRunnerWaiters } from './warm/warm-runner-waiters.ts'
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
import { readSettings } from './settings.ts'
import { createRequestPace } from '../common/database/connection/request-pace.ts'
import { waitForSchema } from './controller/wait-for-schema.ts'

/** A reflector without any contact for this long will not reconnect by itself. */
const deafMs = 10 * 60_000

const settings = settingsOrExit(() => readSettings(process.env))
const namespace = settings.runner.namespace
const namespaces = [
  namespace,
  ...settings.operator.watchNamespaces.filter((other) => other !== namespace),
]
const registry = createRegistry({ component: 'operator', version: packageFile.version })
const metrics = operatorMetrics(registry)
const failpoints = settings.environment.CLOUD_FFMPEG_FAILPOINTS ?? ''
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const { clock } = effects
const logger = createLogger({
  component: 'operator',
  level: settings.logLevel,
  clock,
})
const timing = settingsOrExit(() => electionTiming(settings))
const holder = {
  ...settingsOrExit(() => ownPod(settings)),
  startedAt: new Date(clock.wall().getTime() - process.uptime() * 1000),
}
const identity = identityOf(holder)
const leaseNamespace = settings.release.namespace

const pace = createRequestPace(clock)
const { database, store, hints, claim, parts } = openDatabase({
  ...databaseAccess(settings),
  relaxedProgress: settings.database.relaxedProgress,
  applicationName: 'cloud-ffmpeg-operator',
  statementTimeoutMs: 10_000,
  priorityAgeSeconds: settings.operator.priorityAgeSeconds,
  installation: installationOf(settings),
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
    perSecond: settings.operator.kubeApi.requestsPerSecond,
    burst: settings.operator.kubeApi.burst,
  },
})
const events = createEvents(tidyKube)
const reporter = {
  reportingController: 'cloudffmpeg.dev/operator',
  reportingInstance: holder.podName,
}
const recorder = createEventRecorder({
  ...reporter,
  events,
  clock,
  newId: () => effects.newId(),
  logger,
})
const tls = settingsOrExit(() => {
  const folder = gatewayTlsFolder(settings)
  return folder === null ? null : createGatewayTls(folder, { effects, logger })
})
const kubernetesApi = createApiAddresses({
  kube: readsKubernetesApi(settings) ? tidyKube : null,
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
        name: leaseName(settings),
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
        plans: settings.plans,
        isSlow: pace.isSlow,
        term,
        effects,
        metrics: metrics.controller,
        retentionMetrics: metrics.retention,
        logger,
      }),
      noticeForeign: noticesForeign(settings) ? noticeForeignIn(term) : null,
    }),
  },
  runners: {
    waiters: createWarmRunnerWaiters(clock),
    identityOf: (seen) =>
      createRunnerIdentity({
        clusterKeys: createClusterKeys(kube),
        clock,
        audience: gatewayAudience,
        namespaces,
        namespaceOf: (commandId) => seen.commandsOf(commandId)[0]?.metadata.namespace ?? null,
        serviceAccount: runnerServiceAccount(settings),
      }),
    kubernetesApi: kubernetesApi.current,
  },
  settings: {
    namespaces,
    plans: settings.plans,
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
    port: settings.gateway.listenPort,
    tls,
    maxConnections: settings.gateway.connections ?? 2 * liveJobs(settings) + 100,
    connectionsPerAddress: settings.gateway.connectionsPerAddress,
    inFlightMbytes: settings.gateway.maxInFlightMbytes,
  },
)

const probes = createListener(
  createProbeServer(registry, {
    live: () => (caches.msSinceContact() > deafMs ? 'no contact to the API server' : null),
    ready: () => (operator.isReady() ? null : 'starting or stopping'),
  }),
  { port: settings.metrics.port, clock },
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
    release: `${leaseNamespace}/${leaseName(settings)}`,
    term,
    effects,
    logger,
  })
}
