import { Registry } from 'prom-client'
import type { Effects } from '../../../common/effects.ts'
import { createFfmpegCommands } from '../../../common/kubernetes/ffmpeg-commands.ts'
import { createStoredFiles } from '../../../common/kubernetes/stored-files.ts'
import { createJobs } from '../../../common/kubernetes/jobs.ts'
import { createKubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import { createLeases } from '../../../common/kubernetes/leases.ts'
import { createPods } from '../../../common/kubernetes/pods.ts'
import { createCaches } from '../../../operator/caches.ts'
import { createControllerMetrics } from '../../../operator/controller-metrics.ts'
import { createController } from '../../../operator/controller.ts'
import type { GatewayResponse } from '../../../operator/gateway/answers.ts'
import type { GatewayRequest } from '../../../operator/gateway/gateway.ts'
import { createGateway } from '../../../operator/gateway/gateway.ts'
import { createLeadership } from '../../../operator/leadership.ts'
import { createLeaderMetrics } from '../../../operator/machinery/leader-metrics.ts'
import { createLeader } from '../../../operator/machinery/leader.ts'
import { leaderTiming } from '../../../operator/machinery/leader-timing.ts'
import { createOwnWrites } from '../../../operator/machinery/own-writes.ts'
import { createReflectorMetrics } from '../../../operator/machinery/reflector-metrics.ts'
import { createWorkQueueMetrics } from '../../../operator/machinery/work-queue-metrics.ts'
import { waitForSchema } from '../../../operator/wait-for-schema.ts'
import { connection } from './connection.ts'
import { storageOf } from './fake-storage.ts'
import { kubeClientOf } from './process-kube.ts'
import { storeOf } from './process-store.ts'
import type { SimulatedProcess } from './process.ts'
import type { Random } from './random.ts'
import { verifyPodToken } from './pod-token.ts'
import { controllerSettings, gatewaySettings, leaseName, namespace, plans } from './settings.ts'
import type { World } from './world.ts'

/** The operator as its main program puts it together, without sockets. */
export interface OperatorProgram {
  /** Whether its Service sends requests here. */
  isServing(): boolean
  isLeading(): boolean
  /** A runner's request. Rejects as a connection does that breaks with its process. */
  handle(request: GatewayRequest, podUid: string): Promise<GatewayResponse>
  /** As a SIGTERM does: its work ends, the Lease is given back, then the process. */
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
  const store = storeOf(process, world, random)
  const objects = storageOf(process, world, random)
  const metrics = createKubeMetrics(registry)
  const kube = kubeClientOf(process, world, { random, metrics })
  const electionKube = kubeClientOf(process, world, { random, metrics })
  const commands = createFfmpegCommands(kube)
  const storedFiles = createStoredFiles(kube)
  const jobs = createJobs(kube)
  const pods = createPods(kube)
  const shared = { namespace, effects, logger }
  const watched = sabotage.watched ?? ((resource) => resource)
  const caches = createCaches({
    ...shared,
    commands: watched(commands),
    storedFiles: watched(storedFiles),
    jobs: watched(jobs),
    pods: watched(pods),
    metrics: createReflectorMetrics(registry),
  })
  const ownWrites = createOwnWrites({ clock })
  const controller = createController({
    ...shared,
    commands,
    storedFiles,
    jobs: sabotage.created?.(jobs) ?? jobs,
    pods,
    store: sabotage.reconcileStore?.(store) ?? store,
    caches,
    ownWrites: sabotage.ownWrites?.(ownWrites) ?? ownWrites,
    leader: { mustHold: () => leadership.leader.mustHold() },
    recorder: { record: () => undefined },
    metrics: createControllerMetrics(registry),
    queueMetrics: createWorkQueueMetrics(registry),
    plans,
    storage: objects,
    sweepFiles: async () => undefined,
    noticeForeign: null,
    settings: controllerSettings,
  })
  const leadership = createLeadership({
    controller,
    createLeader: (events) =>
      createLeader({
        timing: leaderTiming(4),
        ...events,
        leases: createLeases(electionKube),
        namespace,
        name: leaseName,
        identity: process.name,
        clock,
        metrics: createLeaderMetrics(registry),
        logger,
      }),
    onLost: () => exit('the Lease is lost'),
  })
  const gatewayFor = (podUid: string) =>
    createGateway({
      ...shared,
      identity: { verify: verifyPodToken },
      store: sabotage.gatewayStore?.(store, podUid) ?? store,
      objects,
      pods: caches,
      poke: (commandId) => controller.rowChanged(commandId),
      settings: gatewaySettings,
    })
  let isServing = false
  boot().catch((error: unknown) => {
    if (process.isAlive()) throw error
  })

  return {
    isServing: () => isServing,
    isLeading: () => leadership.leader.isLeader(),
    handle: (request, podUid) => connection(process, () => gatewayFor(podUid).handle(request)),
    terminate() {
      isServing = false
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
