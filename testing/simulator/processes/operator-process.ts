import { Registry } from 'prom-client'
import type { Effects } from '../../../common/runtime/effects.ts'
import { cancelledBy } from '../../../common/kubernetes/cancelled-by.ts'
import type { KubeClient } from '../../../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createStoredFiles } from '../../../common/kubernetes/resources/stored-files.ts'
import { createJobs } from '../../../common/kubernetes/resources/jobs.ts'
import { createKubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import { createRequestThrottle } from '../../../common/kubernetes/throttle/request-throttle.ts'
import { createLeases } from '../../../common/kubernetes/resources/leases.ts'
import { createPods } from '../../../common/kubernetes/resources/pods.ts'
import { createEvents } from '../../../common/kubernetes/resources/events.ts'
import { createCaches } from '../../../operator/observe/caches.ts'
import { createControllerMetrics } from '../../../operator/apply/controller-metrics.ts'
import { createLifecycleMetrics } from '../../../common/store/lifecycle/metrics.ts'
import { createController } from '../../../operator/controller/controller.ts'
import type { GatewayResponse } from '../../../operator/gateway/calls/answers.ts'
import type { RequestHead } from '../../../operator/gateway/gateway.ts'
import { createGateway } from '../../../operator/gateway/gateway.ts'
import { createLeadership } from '../../../operator/controller/leadership.ts'
import { createLeaderMetrics } from '../../../operator/machinery/election/leader-metrics.ts'
import { createLeader } from '../../../operator/machinery/election/leader.ts'
import type { Term } from '../../../operator/machinery/election/leader.ts'
import { leaderTiming } from '../../../operator/machinery/election/leader-timing.ts'
import { createStandbyWaiters } from '../../../operator/warm/standby-waiters.ts'
import { createWarmMetrics } from '../../../operator/warm/warm-metrics.ts'
import { createOwnWrites } from '../../../operator/machinery/own-writes.ts'
import { createReflectorMetrics } from '../../../operator/machinery/reflector-metrics.ts'
import { createWorkQueueMetrics } from '../../../operator/machinery/work-queue-metrics.ts'
import { waitForSchema } from '../../../operator/controller/wait-for-schema.ts'
import { withHints } from '../../../common/store/hints.ts'
import { hintsOf } from './process-hints.ts'
import { connection, storeOf } from './process-store.ts'
import { storageOf } from '../world/fake-storage.ts'
import { kubeClientOf } from './process-kube.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import { verifyPodToken } from '../world/known-processes.ts'
import { settingsOf, gatewaySettings, leaseName, namespace, plans } from '../world/settings.ts'
import type { World } from '../world/world.ts'

export interface RunnerRequest extends RequestHead {
  readonly body: unknown
}

/** The operator as its main program puts it together, without sockets. */
export interface OperatorProgram {
  /** Whether its Service sends requests here. */
  isServing(): boolean
  isLeading(): boolean
  /** A runner's request. Rejects as a connection does that breaks with its process. */
  handle(request: RunnerRequest, podUid: string, closed: AbortSignal): Promise<GatewayResponse>
  /** Ends like a SIGTERM: the work ends, the Lease is given back, then the process. */
  terminate(): void
}

export function startOperator(
  world: World,
  process: SimulatedProcess,
  deps: {
    effects: Effects
    random: Random
    exit: (why: string) => void
  },
): OperatorProgram {
  const { effects, random, exit } = deps
  const { logger, sabotage } = world
  const { clock } = process
  const registry = new Registry()
  const hints = hintsOf(process, world, deps)
  const store = withHints(storeOf(process, world, random), hints.give)
  const objects = storageOf(process, world, random)
  const metrics = createKubeMetrics(registry)
  const throttle = createRequestThrottle({ clock })
  const kube = kubeClientOf(process, world, { random, metrics, throttle })
  const electionKube = kubeClientOf(process, world, { random, metrics })
  const shared = { effects, logger }
  const watched = sabotage.watched ?? ((resource) => resource)
  const seen = resourcesOf(kube)
  const caches = createCaches({
    ...shared,
    namespaces: [namespace],
    commands: watched(seen.commands),
    storedFiles: watched(seen.storedFiles),
    jobs: watched(seen.jobs),
    pods: watched(seen.pods),
    metrics: createReflectorMetrics(registry),
  })
  const lifecycle = createLifecycleMetrics(registry)
  const controllerMetrics = createControllerMetrics(registry, lifecycle)
  const ownWrites = createOwnWrites({ clock })
  const queueMetrics = createWorkQueueMetrics(registry)
  const warmMetrics = createWarmMetrics(registry)
  const waiters = createStandbyWaiters(clock)
  const leadership = createLeadership({
    createController(term) {
      world.counts.terms += 1
      const resources = resourcesOf(cancelledBy(kube, term.lost))
      return createController({
        ...shared,
        ...resources,
        throttle,
        pods: sabotage.pods?.(resources.pods) ?? resources.pods,
        jobs: sabotage.created?.(resources.jobs) ?? resources.jobs,
        store: sabotage.reconcileStore?.(store) ?? store,
        caches: sabotage.seen?.(caches) ?? caches,
        ownWrites: sabotage.ownWrites?.(ownWrites) ?? ownWrites,
        term,
        recorder: { record: () => undefined },
        metrics: controllerMetrics,
        queueMetrics,
        hints,
        plans,
        storage: objects,
        sweepFiles: async () => 'drained',
        sweepOrphans: async () => 'drained',
        retention: async () => undefined,
        noticeForeign: null,
        events: createEvents(kube),
        waiters: sabotage.waiters?.(waiters) ?? waiters,
        canResize: async () => true,
        warmMetrics,
        settings: settingsOf(world),
      })
    },
    createLeader: (lead: (term: Term) => Promise<void>) =>
      createLeader({
        timing: leaderTiming(world.leaseSeconds),
        lead,
        onStuck: () => exit('work of a lost Lease did not stop in time'),
        leases: createLeases(electionKube),
        namespace,
        name: leaseName,
        identity: process.name,
        address: process.name,
        hasEnded: async (identity) => world.processes.isKnownToHaveEnded(identity, process.name),
        clock,
        failpoint: effects.failpoint,
        metrics: createLeaderMetrics(registry),
        logger,
      }),
  })
  const gatewayFor = (podUid: string) =>
    createGateway({
      ...shared,
      identity: { verify: verifyPodToken },
      store: sabotage.gatewayStore?.(store, podUid) ?? store,
      objects,
      pods: caches,
      notify: (commandId, what) => leadership.rowChanged(commandId, what),
      lifecycle,
      standbys: { waiters, place: () => leadership.place() },
      settings: gatewaySettings,
    })
  let isServing = false
  boot().catch((error: unknown) => {
    if (process.isAlive()) throw error
  })

  return {
    isServing: () => isServing,
    isLeading: () => leadership.leader.isLeader(),
    handle: (request, podUid, closed) =>
      connection(process, async () => {
        const gateway = gatewayFor(podUid)
        const admitted = await gateway.admit(request)
        if ('refusal' in admitted) return admitted.refusal
        const { method, path, body } = request
        const { caller } = admitted
        const ended = AbortSignal.any([closed, process.killed])
        return gateway.handle({ caller, method, path, body, closed: ended })
      }),
    terminate() {
      isServing = false
      waiters.release()
      void leadership.stop().then(() => exit('SIGTERM'))
    },
  }

  async function boot(): Promise<void> {
    await waitForSchema({ store, clock, logger }, process.killed)
    void caches.run(process.killed)
    await caches.synced
    isServing = true
    await leadership.start()
  }
}

function resourcesOf(client: KubeClient) {
  return {
    commands: createFfmpegCommands(client),
    storedFiles: createStoredFiles(client),
    jobs: createJobs(client),
    pods: createPods(client),
  }
}
