import type { Effects } from '../../../common/runtime/effects.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { ObjectStore } from '../../../common/storage/object-store.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { LifecycleMetrics } from '../../../common/store/lifecycle/metrics.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import type { PodFacts } from '../../observe/pod-facts.ts'
import type { LimitSettings } from '../../resources/limits.ts'
import type { LeaderPlace, WarmRunnerWaiters } from '../../warm/warm-runner-waiters.ts'
import type { RunnerIdentity } from '../identity/runner-identity.ts'

export interface GatewayDeps {
  readonly identity: RunnerIdentity
  readonly store: LifecycleStore
  readonly objects: ObjectStore
  readonly pods: PodReader
  /**
   * Notifies the leader, if it is in this process, that a command's row has changed; best-effort, the mirror finds it
   * otherwise. Progress has only to be shown; a claim frees the place of a start, too. Without `what` the leader
   * decides at once.
   */
  readonly notify: (commandId: string, what?: 'claimed' | 'progress') => void
  /** Requests of warm runners that wait here, and where they are to wait. */
  readonly warmRunners: { readonly waiters: WarmRunnerWaiters; readonly place: () => LeaderPlace }
  readonly effects: Effects
  readonly settings: GatewaySettings
  /** `host:port` of the Kubernetes API, which no input may reach; absent: not known. */
  readonly kubernetesApi?: () => readonly string[]
  /** Gets stages that rows do not time. */
  readonly lifecycle: Pick<LifecycleMetrics, 'stage'>
  /** A limit of one attempt has refused a request. */
  readonly onRefusal?: (limit: 'reports' | 'requests') => void
  /** @param seconds from the binding of a warm runner whose request waited here until its answer was ready */
  readonly onAssigned?: (seconds: number) => void
  readonly logger: Logger
}

/** Runners' pods that this process has seen, living or gone. */
export interface PodReader {
  /** null: never seen, which proves nothing. */
  podByUid(podUid: string): PodFacts | null
  /** Calls back with the id of a command whose pod, Job or resource changed. */
  subscribe(listener: (commandId: string) => void): () => void
}

export interface GatewaySettings {
  readonly plans: Plans
  /** Addresses under which our own bucket is reached, bucket included; URLs below are our files. */
  readonly storageBases: readonly string[]
  readonly network: Assignment['network']
  readonly overlap: Assignment['overlap']
  /** Most files that an archive or a command may have. */
  readonly fileCount: number
  readonly maxPixels: number
  /** Only the beginning and the end of a larger upload are fetched to probe it. */
  readonly fullFetchBytes: number
  /** Lifetime of the presigned URLs of PUTs; a runner requests new ones for those it begins later. */
  readonly putUrlSeconds: number
  readonly runner: LimitSettings
}

/** Lifetime of the presigned URLs of inputs. */
export const inputUrlSeconds = 3_600
