import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import type { Reason } from '../status/reason.ts'
import type { Refusal } from '../status/refusal.ts'

/** Snapshot of one command: its row, and its custom resource, Jobs and pods as the caches show them. */
export interface Snapshot {
  readonly command: CommandFacts | null
  readonly row: ReconcileRow | null
  /** All Jobs of the command that the cache shows, older rounds included. */
  readonly jobs: readonly JobFacts[]
  readonly pods: readonly PodFacts[]
  /** Last known state of pods that were deleted while this process was watching. */
  readonly gonePods: readonly PodFacts[]
  /**
   * What this reconcile read past the cache and found equal to it. An empty cache is not proof of
   * absence: acting on one ran finished work a second time.
   */
  readonly confirmed: ReadonlySet<Confirmable>
  /** The API server's last refusal to create the Job of this round. */
  readonly refusal: Refusal | null
  /** The newest words of the Job controller about a pod that it could not create; null: unknown. */
  readonly podRefusal: string | null
  /** Why the account's next command is not admitted, according to the last admission run. */
  readonly admission: Reason | null
  readonly elapsed: Elapsed
  /** RFC 3339; what people read, decides nothing. */
  readonly now: string
  readonly settings: ReconcileSettings
}

export type Confirmable = 'command' | 'job' | 'pods'

/** Seconds on this process's monotonic clock since it first observed each condition. */
export interface Elapsed {
  readonly sinceFinal: number
  readonly withoutPod: number
  /** Since a node has the living pod of the round. */
  readonly placed: number
  /** Since the Job of the round may start pods, or none is there; 0 while it is suspended. */
  readonly startable: number
  /** Since the attempt of the row was first seen; 0 without one. */
  readonly sinceAttempt: number
  /** Since the node or the API server refuses the size of the command to its standby; null: it does not. */
  readonly unresized: number | null
  /** Message of the API server that rejected the resize of the standby's pod; null: it did not. */
  readonly resizeRefusal: string | null
  /** The API server accepted the resize, but an admission policy changed the size. */
  readonly isSizeSettled: boolean
  /** Time since its deletion was requested, by pod UID. */
  readonly podDeletion: ReadonlyMap<string, number>
}

export interface ReconcileSettings {
  readonly runner: RunnerSettings
  readonly publicBaseUrl: string
  /** TTL of the Job and its pods, once the outcome is recorded. */
  readonly jobTtlSeconds: number
  readonly failedJobTtlSeconds: number
}
