import { cancelledBy } from '../common/kubernetes/cancelled-by.ts'
import { createEvents } from '../common/kubernetes/resources/events.ts'
import type { Plans } from '../common/domain/plans.ts'
import type { KubeClient } from '../common/kubernetes/client.ts'
import type { RequestThrottle } from '../common/kubernetes/throttle/request-throttle.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Logger } from '../common/runtime/logger.ts'
import type { ObjectStore } from '../common/storage/object-store.ts'
import type { WorkHints } from '../common/store/hints.ts'
import type { LifecycleStore } from '../common/store/store.ts'
import { createController } from './controller/controller.ts'
import type { ControllerDeps, ControllerSettings } from './controller/controller-deps.ts'
import { createLeadership } from './controller/leadership.ts'
import type { Leadership } from './controller/leadership.ts'
import { createGateway } from './gateway/gateway.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { GatewayDeps, GatewaySettings } from './gateway/calls/gateway-deps.ts'
import type { RunnerIdentity } from './gateway/identity/runner-identity.ts'
import type { Leader, LeaderDeps, Term } from './machinery/election/leader.ts'
import { createOwnWrites } from './machinery/own-writes.ts'
import type { OperatorMetrics } from './metrics.ts'
import { createCaches } from './observe/caches.ts'
import { resourcesOf } from './observe/watched-kinds.ts'
import type { Caches } from './observe/caches.ts'
import type { WarmRunnerWaiters } from './warm/warm-runner-waiters.ts'

/** Connections and settings of the operator, and the parts that differ between a process and a test. */
export interface OperatorDeps {
  readonly kube: { readonly client: KubeClient; readonly throttle: RequestThrottle }
  readonly database: { readonly store: LifecycleStore; readonly hints: WorkHints }
  readonly storage: ObjectStore & ControllerDeps['storage']
  readonly leading: {
    createLeader(
      deps: Pick<LeaderDeps, 'lead' | 'clock' | 'failpoint' | 'metrics' | 'logger'>,
    ): Leader
    /** @param client its requests end with the term */
    partsOf(
      term: Term,
      client: KubeClient,
    ): Pick<ControllerDeps, 'recorder' | 'canResize' | 'housekeeping' | 'noticeForeign'>
  }
  readonly runners: {
    readonly waiters: WarmRunnerWaiters
    identityOf(caches: Caches): RunnerIdentity
  } & Pick<GatewayDeps, 'kubernetesApi'>
  readonly settings: {
    /** Watched namespaces; the service itself creates objects in the first. */
    readonly namespaces: readonly string[]
    readonly plans: Plans
    readonly controller: ControllerSettings
    readonly gateway: GatewaySettings
  }
  /** Constructors of the simulator, which takes a guard out of one of them. */
  readonly constructors?: Partial<Constructors>
  readonly metrics: OperatorMetrics
  readonly effects: Effects
  readonly logger: Logger
}

interface Constructors {
  readonly createCaches: typeof createCaches
  readonly createController: typeof createController
  readonly createGateway: typeof createGateway
}

export interface Operator {
  readonly caches: Caches
  readonly gateway: Gateway
  readonly leadership: Leadership
}

/** Connects the parts of one operator process; nothing runs yet. */
export function createOperator(deps: OperatorDeps): Operator {
  const { kube, database, storage, leading, runners, settings, metrics } = deps
  const { effects, logger } = deps
  const constructors = { createCaches, createController, createGateway, ...deps.constructors }
  const shared = { effects, logger }
  const caches = constructors.createCaches({
    ...shared,
    ...resourcesOf(kube.client),
    namespaces: settings.namespaces,
    metrics: metrics.reflector,
  })
  // Kept over terms like the caches, which may not show yet what an earlier term has written.
  const ownWrites = createOwnWrites({ clock: effects.clock })
  const leadership = createLeadership({
    createLeader: (lead) =>
      leading.createLeader({
        lead,
        clock: effects.clock,
        failpoint: effects.failpoint,
        metrics: metrics.leader,
        logger,
      }),
    createController(term) {
      const client = cancelledBy(kube.client, term.lost)
      return constructors.createController({
        ...shared,
        ...database,
        ...resourcesOf(client),
        ...leading.partsOf(term, client),
        events: createEvents(client),
        throttle: kube.throttle,
        caches,
        ownWrites,
        term,
        storage,
        waiters: runners.waiters,
        metrics: metrics.controller,
        queueMetrics: metrics.queue,
        warmMetrics: metrics.warm,
        plans: settings.plans,
        settings: settings.controller,
      })
    },
  })
  const gateway = constructors.createGateway({
    ...shared,
    identity: runners.identityOf(caches),
    store: database.store,
    objects: storage,
    pods: caches,
    notify: leadership.rowChanged,
    lifecycle: metrics.database.lifecycle,
    warmRunners: { waiters: runners.waiters, place: leadership.place },
    settings: settings.gateway,
    ...(runners.kubernetesApi === undefined ? {} : { kubernetesApi: runners.kubernetesApi }),
    onRefusal: metrics.gateway.limited,
    onAssigned: metrics.warm.assigned,
  })
  return { caches, gateway, leadership }
}
