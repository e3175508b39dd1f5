import { Registry } from 'prom-client'
import type { Effects } from '../../../common/runtime/effects.ts'
import { createRequestThrottle } from '../../../common/kubernetes/throttle/request-throttle.ts'
import { createLeases } from '../../../common/kubernetes/resources/leases.ts'
import { createCaches } from '../../../operator/observe/caches.ts'
import { createController } from '../../../operator/controller/controller.ts'
import type { GatewayResponse } from '../../../operator/gateway/calls/answers.ts'
import type { RequestHead } from '../../../operator/gateway/gateway.ts'
import { createGateway, podUidOf } from '../../../operator/gateway/gateway.ts'
import { operatorMetrics } from '../../../operator/metrics.ts'
import { createOperator } from '../../../operator/operator.ts'
import type { OperatorDeps } from '../../../operator/operator.ts'
import { noHousekeeping } from '../../support/operator/no-housekeeping.ts'
import { createLeader } from '../../../operator/machinery/election/leader.ts'
import { leaderTiming } from '../../../operator/machinery/election/leader-timing.ts'
import { createWarmRunnerWaiters } from '../../../operator/warm/warm-runner-waiters.ts'
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
import type { Sabotage, World } from '../world/world.ts'

export interface RunnerRequest extends RequestHead {
  readonly body: unknown
}

/** The operator as its main program puts it together, without sockets. */
export interface OperatorProgram {
  /** Whether its Service sends requests here. */
  isServing(): boolean
  isLeading(): boolean
  /** A runner's request. Rejects as a connection does that breaks with its process. */
  handle(request: RunnerRequest, closed: AbortSignal): Promise<GatewayResponse>
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
  const metrics = operatorMetrics(new Registry())
  const hints = hintsOf(process, world, deps)
  const store = withHints(storeOf(process, world, random), hints.give)
  const throttle = createRequestThrottle({ clock })
  const client = kubeClientOf(process, world, { random, metrics: metrics.kube, throttle })
  const electionKube = kubeClientOf(process, world, { random, metrics: metrics.kube })
  const { caches, gateway, leadership } = createOperator({
    kube: { client, throttle },
    database: { store, hints },
    storage: storageOf(process, world, random),
    leading: {
      createLeader: (given) =>
        createLeader({
          ...given,
          timing: leaderTiming(world.leaseSeconds),
          onStuck: () => exit('work of a lost Lease did not stop in time'),
          leases: createLeases(electionKube),
          namespace,
          name: leaseName,
          identity: process.name,
          address: process.name,
          hasEnded: async (identity) => world.processes.isKnownToHaveEnded(identity, process.name),
        }),
      partsOf() {
        world.counts.terms += 1
        return {
          recorder: { record: () => undefined },
          canResize: async () => true,
          housekeeping: noHousekeeping,
          noticeForeign: null,
        }
      },
    },
    runners: {
      waiters: createWarmRunnerWaiters(clock),
      identityOf: () => ({ verify: verifyPodToken }),
    },
    settings: {
      namespaces: [namespace],
      plans,
      controller: settingsOf(world),
      gateway: gatewaySettings,
    },
    constructors: constructorsWithout(sabotage),
    metrics,
    effects,
    logger,
  })
  let isServing = false
  boot().catch((error: unknown) => {
    if (process.isAlive()) throw error
  })

  return {
    isServing: () => isServing,
    isLeading: () => leadership.leader.isLeader(),
    handle: (request, closed) =>
      connection(process, async () => {
        const admitted = await gateway.admit(request)
        if ('refusal' in admitted) return admitted.refusal
        const { method, path, body } = request
        const { caller } = admitted
        const ended = AbortSignal.any([closed, process.killed])
        return gateway.handle({ caller, method, path, body, closed: ended })
      }),
    terminate() {
      isServing = false
      gateway.release()
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

/** The constructors of the product, with one of its guards taken out. */
function constructorsWithout(sabotage: Sabotage): Required<OperatorDeps>['constructors'] {
  const watched = sabotage.watched ?? ((resource) => resource)
  const { gatewayStore } = sabotage
  return {
    createCaches: (deps) =>
      createCaches({
        ...deps,
        commands: watched(deps.commands),
        storedFiles: watched(deps.storedFiles),
        jobs: watched(deps.jobs),
        pods: watched(deps.pods),
      }),
    createController: (deps) =>
      createController({
        ...deps,
        pods: sabotage.pods?.(deps.pods) ?? deps.pods,
        jobs: sabotage.created?.(deps.jobs) ?? deps.jobs,
        store: sabotage.reconcileStore?.(deps.store) ?? deps.store,
        caches: sabotage.seen?.(deps.caches) ?? deps.caches,
        ownWrites: sabotage.ownWrites?.(deps.ownWrites) ?? deps.ownWrites,
        waiters: sabotage.waiters?.(deps.waiters) ?? deps.waiters,
      }),
    createGateway(deps) {
      const gateway = createGateway(deps)
      if (gatewayStore === undefined) return gateway
      return {
        ...gateway,
        handle: (request) =>
          createGateway({
            ...deps,
            store: gatewayStore(deps.store, podUidOf(request.caller)),
          }).handle(request),
      }
    },
  }
}
