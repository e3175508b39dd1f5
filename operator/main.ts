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
import { createCaches, resourcesOf } from './observe/caches.ts'
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
import { createController as createControllerFrom } from './controller/controller.ts'
import type { Controller } from './controller/controller.ts'
import { createControllerMetrics } from './apply/controller-metrics.ts'
import { createWarmMetrics } from './warm/warm-metrics.ts'
import { canResizePods } from './warm/resize-support.ts'
import { createNoticeForeign } from './loops/foreign/notice-foreign.ts'
import { createClusterKeys } from './gateway/identity/cluster-keys.ts'
import { createGateway } from './gateway/gateway.ts'
import { createRunnerIdentity } from './gateway/identity/runner-identity.ts'
import { measureLimits } from './gateway/limit-metrics.ts'
import { createGatewayServer } from './gateway/server.ts'
import { createGatewayTls } from './gateway/tls/gateway-tls.ts'
import { createLeadership } from './controller/leadership.ts'
import { createStandbyWaiters } from './warm/standby-waiters.ts'
import { createEventRecorder } from './machinery/event-recorder.ts'
import { createKubeClients } from './machinery/kube-clients.ts'
import { createLeaderMetrics } from './machinery/election/leader-metrics.ts'
import { createLeader } from './machinery/election/leader.ts'
import type { Term } from './machinery/election/leader.ts'
import { createHolderCheck, identityOf } from './machinery/election/lease-holder.ts'
import { createOwnWrites } from './machinery/own-writes.ts'
import { createReflectorMetrics } from './machinery/reflector/reflector-metrics.ts'
import { createWorkQueueMetrics } from './machinery/work-queue-metrics.ts'
import { createOperatorProcess } from './operator-process.ts'
import { createProbeServer } from './probes.ts'
import { createListener } from '../common/runtime/listener.ts'
import { readSettings } from './settings.ts'
import { createRetentionRounds } from './loops/retention/retention-rounds.ts'
import { createRetentionMetrics } from './loops/retention/retention-metrics.ts'
import { createRequestPace } from '../common/database/connection/request-pace.ts'
import { createOrphanSweep } from './loops/sweep-orphans.ts'
import { createFileSweep } from './loops/sweep-files.ts'
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
const failpoints = settings.environment.CLOUD_FFMPEG_FAILPOINTS ?? ''
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const { clock } = effects
const logger = createLogger({
  component: 'operator',
  level: settings.logLevel,
  clock,
})
const random = (): number => effects.random()
const timing = settingsOrExit(() => electionTiming(settings))
const holder = {
  ...settingsOrExit(() => ownPod(settings)),
  startedAt: new Date(clock.wall().getTime() - process.uptime() * 1000),
}
const identity = identityOf(holder)
const leaseNamespace = settings.release.namespace

const pace = createRequestPace(clock)
const { database, store, hints, claim, lifecycle, parts } = openDatabase({
  ...databaseAccess(settings),
  relaxedProgress: settings.database.relaxedProgress,
  applicationName: 'cloud-ffmpeg-operator',
  statementTimeoutMs: 10_000,
  priorityAgeSeconds: settings.operator.priorityAgeSeconds,
  installation: installationOf(settings),
  effects,
  clock,
  registry,
  logger,
  times: pace.times,
})
const objects = createObjectStore(objectStoreOptions(settings))

const transport = createSystemTransport({ clock, loadAccess: () => accessFrom(process.env) })
const { kube, tidyKube, electionKube, throttle } = createKubeClients({
  transport,
  clock,
  random,
  registry,
  logger,
  rate: {
    perSecond: settings.operator.kubeApi.requestsPerSecond,
    burst: settings.operator.kubeApi.burst,
  },
})
const caches = createCaches({
  ...resourcesOf(kube),
  namespaces,
  effects,
  metrics: createReflectorMetrics(registry),
  logger,
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
const controllerMetrics = createControllerMetrics(registry, lifecycle)
const retentionMetrics = createRetentionMetrics(registry)
const queueMetrics = createWorkQueueMetrics(registry)
const warmMetrics = createWarmMetrics(registry)
// Kept over terms like the caches, which may not show yet what an earlier term has written.
const ownWrites = createOwnWrites({ clock })
const leadership = createLeadership({
  createController,
  createLeader: (lead) =>
    createLeader({
      lead,
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
      clock,
      failpoint: effects.failpoint,
      timing,
      metrics: createLeaderMetrics(registry),
      logger,
    }),
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
const standbyWaiters = createStandbyWaiters(clock)
const gatewayLimits = measureLimits(registry, { clock, logger })
const gateway = createGatewayServer(
  {
    gateway: createGateway({
      identity: createRunnerIdentity({
        clusterKeys: createClusterKeys(kube),
        clock,
        audience: gatewayAudience,
        namespaces,
        namespaceOf: (commandId) => caches.commandsOf(commandId)[0]?.metadata.namespace ?? null,
        serviceAccount: runnerServiceAccount(settings),
      }),
      store,
      objects,
      pods: caches,
      notify: (commandId, what) => leadership.rowChanged(commandId, what),
      lifecycle,
      standbys: { waiters: standbyWaiters, place: () => leadership.place() },
      effects,
      settings: gatewaySettings(settings),
      kubernetesApi: kubernetesApi.current,
      logger,
      onRefusal: gatewayLimits.refused,
      onAssigned: (seconds) => warmMetrics.assigned(seconds),
    }),
    effects,
    registry,
    limits: gatewayLimits,
  },
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
  gateway,
  leadership,
  clock,
  logger,
  parts: [...parts, kubernetesApi.part],
  about: { identity, namespaces },
  async closeConnections() {
    await transport.close()
    await database.close()
    objects.close()
  },
  flushEvents: () => recorder.flush(),
  waitForSchema: (signal) => waitForSchema({ store, claim, clock, logger }, signal),
})
await operator.start()

function createController(term: Term): Controller {
  const fileSweep = {
    store,
    storage: objects,
    term,
    effects,
    metrics: controllerMetrics,
    logger,
  }
  const client = cancelledBy(kube, term.lost)
  const tidy = cancelledBy(tidyKube, term.lost)
  const noticeForeign = createNoticeForeign({
    ...reporter,
    kinds: createWorkMetadata(tidy),
    events,
    namespaces,
    release: `${leaseNamespace}/${leaseName(settings)}`,
    term,
    effects,
    logger,
  })
  return createControllerFrom({
    ...resourcesOf(client),
    throttle,
    store,
    caches,
    ownWrites,
    term,
    recorder,
    effects,
    hints,
    metrics: controllerMetrics,
    queueMetrics,
    plans: settings.plans,
    storage: objects,
    sweepFiles: createFileSweep(fileSweep),
    sweepOrphans: createOrphanSweep(fileSweep),
    retention: createRetentionRounds({
      ...fileSweep,
      plans: settings.plans,
      isSlow: pace.isSlow,
      metrics: retentionMetrics,
    }),
    waiters: standbyWaiters,
    warmMetrics,
    canResize: () => canResizePods(client),
    noticeForeign: noticesForeign(settings) ? noticeForeign : null,
    events: createEvents(client),
    settings: controllerSettings(settings, () => tls?.ca() ?? null),
    logger,
  })
}
