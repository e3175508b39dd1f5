import type { Logger } from '../../../common/runtime/logger.ts'
import type {
  FfmpegCommand,
  Job,
  Pod,
  StoredFileObject,
} from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import type { Caches } from '../../../operator/observe/caches.ts'
import type { WarmRunnerWaiters } from '../../../operator/warm/warm-runner-waiters.ts'
import type { OwnWrites } from '../../../operator/machinery/own-writes.ts'
import type { CrashPlan } from './crash-plan.ts'
import type { FakeKubeApiserver } from '../kube-apiserver/server.ts'
import type { FakeStorage } from './fake-storage.ts'
import type { LeaseSeconds } from '../../../operator/machinery/election/leader-timing.ts'
import type { KnownProcesses } from './known-processes.ts'
import type { HintBus } from '../../../common/database/hints/hint-bus.ts'
import type { SimulatedProcess } from './process.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from '../../support/random.ts'
import type { Trace } from './trace.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'
import type { WrittenVersions } from './written-versions.ts'

/** All that stands around the processes of one run. */
export interface World {
  readonly clock: VirtualClock
  readonly random: Random
  readonly trace: Trace
  readonly oracle: Oracle
  readonly server: FakeKubeApiserver
  /** The database itself; a process reaches it over a network of its own. */
  readonly store: LifecycleStore
  readonly storage: FakeStorage
  readonly written: WrittenVersions
  readonly crashes: CrashPlan
  readonly processes: KnownProcesses
  /** Hint buses of the processes that run. */
  readonly hintBuses: Map<SimulatedProcess, HintBus>
  readonly leaseSeconds: LeaseSeconds
  /** How often the database has lost commits. */
  readonly forgotten: () => number
  /** Counted over all processes of the run. */
  readonly counts: { terms: number; restored: number; bound: number }
  readonly sabotage: Sabotage
  /** vCPUs of all nodes together; null: there is always room. */
  readonly roomVcpus: number | null
  /** Runners that wait for commands; null: there are none. */
  readonly warm: WarmWorld | null
  readonly logger: Logger
}

export interface WarmWorld {
  readonly min: number
  readonly max: number
  /** Operators that start from now on make warm runners of another image. */
  image: number
}

/** The requests of warm runners, as the leader sees them. */
type LeaderWaiters = Pick<WarmRunnerWaiters, 'offers' | 'answer' | 'onChange'>

/** Takes one guard of the product out, to see that the simulator notices. */
export interface Sabotage {
  readonly ownWrites?: (ownWrites: OwnWrites) => OwnWrites
  readonly reconcileStore?: (store: LifecycleStore) => LifecycleStore
  readonly gatewayStore?: (store: LifecycleStore, podUid: string) => LifecycleStore
  readonly created?: <T extends FfmpegCommand | StoredFileObject | Job>(
    resource: Resource<T>,
  ) => Resource<T>
  /** The database does not refuse a second command for a pod. */
  readonly reusesWarmRunners?: boolean
  readonly waiters?: (waiters: LeaderWaiters) => LeaderWaiters
  readonly pods?: (resource: Resource<Pod>) => Resource<Pod>
  readonly seen?: (caches: Caches) => Caches
  readonly watched?: <T extends FfmpegCommand | StoredFileObject | Job | Pod>(
    resource: Resource<T>,
  ) => Resource<T>
}
