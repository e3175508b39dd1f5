import type { FfmpegCommandSpec, FfmpegCommandStatus } from '../../../crds/ffmpegcommand.ts'
import type { StoredFileSpec, StoredFileStatus } from '../../../crds/storedfile.ts'

/** Fields of `metadata` that we read, with times as the text that the API server sends. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: string[]
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
  readonly ownerReferences?: OwnerReference[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export interface FfmpegCommand {
  readonly metadata: ObjectMeta
  readonly spec: FfmpegCommandSpec
  readonly status?: FfmpegCommandStatus
}

export interface StoredFileObject {
  readonly metadata: ObjectMeta
  readonly spec: StoredFileSpec
  readonly status?: StoredFileStatus
}

/** Fields of a Job of `batch/v1` that we read; absent counters are 0, absent lists empty. */
export interface Job {
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly suspend: boolean
    readonly activeDeadlineSeconds: number | null
    readonly ttlSecondsAfterFinished: number | null
  }
  readonly status: {
    readonly active: number
    readonly ready: number
    readonly succeeded: number
    readonly failed: number
    readonly terminating: number
    readonly startTime: string | null
    readonly completionTime: string | null
    readonly conditions: readonly Condition[]
  }
}

/** Fields of a Pod that we read. */
export interface Pod {
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly nodeName: string | null
    /** Requests and limits; quantities as the API server writes them. */
    readonly containers: readonly ContainerResources[]
  }
  readonly status: {
    readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
    /** Reason for the pod as a whole, e.g. `Evicted`, `DeadlineExceeded`. */
    readonly reason: string | null
    readonly message: string | null
    readonly startTime: string | null
    readonly conditions: readonly Condition[]
    readonly containers: readonly PodContainer[]
  }
}

export interface ContainerResources {
  readonly name: string
  readonly requests: Readonly<Record<string, string>>
  readonly limits: Readonly<Record<string, string>>
}

export interface PodContainer {
  readonly name: string
  readonly ready: boolean
  /** The node shows the resources that the pod runs with, as nodes do that can change them while it runs. */
  readonly showsResources: boolean
  readonly restartCount: number
  readonly state: ContainerState
  /** How the run before the present one ended; null if there was none. */
  readonly lastState: ContainerState | null
}

export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string | null; readonly message: string | null }
  | { readonly kind: 'running'; readonly startedAt: string | null }
  | {
      readonly kind: 'terminated'
      readonly exitCode: number
      readonly signal: number | null
      /** E.g. `OOMKilled`, `Error`, `Completed`. */
      readonly reason: string | null
      readonly message: string | null
      readonly startedAt: string | null
      readonly finishedAt: string | null
    }

/** A condition of a Job, a Pod or a custom resource. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string | null
  readonly message: string | null
  readonly lastTransitionTime: string | null
}

/** A Lease of `coordination.k8s.io/v1`. Its times are text for people: hosts disagree on them. */
export interface Lease {
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly holderIdentity: string | null
    readonly leaseDurationSeconds: number | null
    readonly leaseTransitions: number
  }
}

/** An Event of `events.k8s.io/v1`. */
export interface KubeEvent {
  readonly metadata: ObjectMeta
  readonly reason: string
  readonly note: string | null
  readonly seriesCount: number | null
  /** RFC 3339: when it was reported last; null: unknown. */
  readonly lastAt: string | null
}
