import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { limitsFor } from '../resources/limits.ts'
import type { RunnerLimits } from '../resources/limits.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'
import { specHash } from '../resources/spec-hash.ts'
import type { Reason } from '../status/reason.ts'
import type { Refusal } from '../status/refusal.ts'
import { startReason } from '../status/start-reason.ts'

/** Facts about one command: its row, and its custom resource, Jobs and pods as the caches show them. */
export interface SnapshotFacts {
  readonly command: CommandFacts | null
  readonly row: ReconcileRow | null
  /** All Jobs of the command that the cache shows, older generations included. */
  readonly jobs: readonly JobFacts[]
  readonly pods: readonly PodFacts[]
  /** Last known state of pods that were deleted while this process was watching. */
  readonly gonePods: readonly PodFacts[]
  /**
   * Objects that this reconcile read past the cache and found equal to it. An empty cache is not proof of
   * absence: acting on one ran finished work a second time.
   */
  readonly confirmed: ReadonlySet<Confirmable>
  /** The API server's last refusal to create the Job of this generation. */
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

/** Snapshot of one command, taken once per pass of a reconcile. */
export interface Snapshot extends SnapshotFacts {
  /** null without a row */
  readonly generation: Generation | null
}

export interface RecordedSnapshot extends Snapshot {
  readonly row: ReconcileRow
  readonly generation: Generation
}

/** Snapshot with both the row and the custom resource. */
export interface WholeSnapshot extends RecordedSnapshot {
  readonly command: CommandFacts
}

/** The present generation of the command's Job. */
export interface Generation {
  readonly specHash: string
  readonly limits: RunnerLimits
  readonly job: JobFacts | null
  /** Pods that were not fenced. */
  readonly pods: readonly PodFacts[]
  /** Pods that were not fenced, and whose objects are gone from the cluster. */
  readonly gonePods: readonly PodFacts[]
  /** Why the command waits for admission or has not started; not read once it has started. */
  readonly waiting: Reason
}

export type Confirmable = 'command' | 'job' | 'pods'

/** Seconds on this process's monotonic clock since it first observed each condition. */
export interface Elapsed {
  readonly sinceFinal: number
  readonly withoutPod: number
  /** Since a node has the living pod of the generation. */
  readonly placed: number
  /** Since the Job of the generation may start pods, or none is there; 0 while it is suspended. */
  readonly startable: number
  /** Since the attempt of the row was first seen; 0 without one. */
  readonly sinceAttempt: number
  /** Since the node or the API server refuses the size of the command to its warm runner; null: it does not. */
  readonly unresized: number | null
  /** Message of the API server that rejected the resize of the warm runner's pod; null: it did not. */
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

export function snapshotOf(facts: SnapshotFacts): Snapshot {
  return { ...facts, generation: facts.row === null ? null : generationOf(facts, facts.row) }
}

export function isRecorded(snapshot: Snapshot): snapshot is RecordedSnapshot {
  return snapshot.row !== null
}

export function isWhole(snapshot: RecordedSnapshot): snapshot is WholeSnapshot {
  return snapshot.command !== null
}

function generationOf(facts: SnapshotFacts, row: ReconcileRow): Generation {
  const { runner } = facts.settings
  const job = presentJob(row, facts.jobs)
  const pods = facts.pods.filter((pod) => isPresent(row, pod))
  return {
    specHash: specHash(row),
    limits: limitsFor(row, runner),
    job,
    pods,
    gonePods: facts.gonePods.filter((pod) => isPresent(row, pod)),
    waiting: row.admitted
      ? startReason({
          job,
          pods,
          refusal: facts.refusal,
          podRefusal: facts.podRefusal,
          lostAttempts: row.lostAttempts.length - row.evictions - row.spotLosses,
          maxAttempts: runner.maxAttempts,
          secondsWithoutPod: facts.elapsed.withoutPod,
        })
      : (facts.admission ?? notYetCounted),
  }
}

/** The Job of a warm runner has a name that says nothing of its command. */
export function presentJob(row: ReconcileRow, jobs: readonly JobFacts[]): JobFacts | null {
  const { jobGeneration, warmRunnerJob } = row
  const isPresentJob = (job: JobFacts): boolean =>
    job.jobGeneration === jobGeneration &&
    (warmRunnerJob === null || job.metadata.name === warmRunnerJob)
  return jobs.find(isPresentJob) ?? null
}

/** The pod belongs to the present generation and was not fenced. */
export function isPresent(row: ReconcileRow, { jobGeneration, metadata }: PodFacts): boolean {
  return jobGeneration === row.jobGeneration && !row.lostAttempts.includes(metadata.uid)
}

/** Status reason before admission has computed one. It is not a wait reason, so it gets no Event. */
const notYetCounted: Reason = {
  reason: 'Queued',
  message: 'Waits for the next admission run of its account',
}
