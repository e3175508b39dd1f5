import type { QueueReason } from '../../common/domain/states.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'
import type { Result } from '../../common/gateway/messages.ts'
import type { LostAttempt } from '../../common/store/reconcile.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { FactMetadata } from '../observe/fact-metadata.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { RunnerJob } from '../resources/job.ts'
import type { ColdReason } from './cold-reason.ts'
import type { Confirmable } from './snapshot.ts'
import type { LossReason } from '../status/loss.ts'
import type { WorkStatus } from '../observe/shown-status.ts'
import type { Evidence } from '../status/verdict.ts'

/** Each action is one idempotent side effect. */
export type Action = ObjectAction | RowAction

export type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>

/** Effects on objects of the cluster, which may have no row. */
type ObjectAction =
  /**
   * Finalizer first, then the row: after a crash between the two, a repetition completes the
   * import.
   */
  | { readonly kind: 'import'; readonly command: CommandFacts }
  | { readonly kind: 'wakeAdmission' }
  | { readonly kind: 'deleteJob'; readonly job: JobFacts; readonly why: string }
  | { readonly kind: 'setJobTtl'; readonly job: FactMetadata; readonly seconds: number }
  | {
      readonly kind: 'showStatus'
      readonly command: CommandFacts
      readonly status: WorkStatus
      /** Row version that the status shows; null: the status says why the object gets no row. */
      readonly version: number | null
    }
  | { readonly kind: 'addFinalizer'; readonly command: CommandFacts }
  | { readonly kind: 'removeFinalizer'; readonly command: CommandFacts }
  | { readonly kind: 'deleteResource'; readonly command: CommandFacts }

/** Effects that need the row of the command. */
export type RowAction =
  /** Reads past the cache, then takes a new snapshot. */
  | { readonly kind: 'confirm'; readonly what: Confirmable; readonly name: string }
  | { readonly kind: 'adoptResource'; readonly uid: string }
  /** The custom resource is gone: dispatch recreates it. */
  | { readonly kind: 'undispatch'; readonly resourceUid: string }
  | CreateJob
  /** Gives the command to a pod that waits for one; without such a pod its Job is created. */
  | { readonly kind: 'bindWarmRunner'; readonly otherwise: CreateJob }
  | AdoptWarmRunner
  | {
      readonly kind: 'loseAttempt'
      readonly command: CommandFacts
      readonly loss: Omit<LostAttempt, 'commandId' | 'reason'> & { readonly reason: LossReason }
      readonly evidence: Evidence
    }
  | CommitFailure
  | {
      readonly kind: 'commitResult'
      readonly attempt: string
      readonly result: Result
      readonly evidence: Evidence
    }
  /** Same as `commitResult`, after the database lost the claim of the attempt with its last commits. */
  | { readonly kind: 'restoreReported'; readonly attempt: string; readonly result: Result }
  /** The outcome that a custom resource kept while the database lost it. */
  | { readonly kind: 'recordShownOutcome'; readonly command: CommandFacts }
  | { readonly kind: 'markMirrored'; readonly version: number }
  /** Reason of the cluster that holds the admitted command up; null: nothing does. */
  | { readonly kind: 'recordStartWait'; readonly reason: QueueReason | null }
  | { readonly kind: 'releaseQuota' }
  | { readonly kind: 'markResourceDeleted' }

export interface CreateJob {
  readonly kind: 'createJob'
  readonly command: CommandFacts
  readonly manifest: RunnerJob
  readonly hash: string
  /** Why no waiting pod gets the command. */
  readonly coldReason: ColdReason
}

export interface CommitFailure {
  readonly kind: 'commitFailure'
  readonly attempt: string | null
  readonly errorStatus: ErrorStatus
  readonly message: string
  readonly evidence: Evidence
  /** Set where the request was made in the cluster; the row has all others. */
  readonly cancelledBy?: string | null
}

/**
 * Makes a warm runner that works on a command what a runner created for it is. Each of the three effects is
 * decided from the objects themselves, and is null where nothing is left to do.
 */
export interface AdoptWarmRunner {
  readonly kind: 'adoptWarmRunner'
  readonly podUid: string
  readonly job: Patch | null
  readonly pod: Patch | null
  readonly resize: (Patch & { readonly node: string | null; readonly size: string | null }) | null
}

export interface Patch {
  readonly target: FactMetadata
  readonly body: object
}

/** Actions, in this order, and when to reconcile again if no event comes before. */
export interface Plan {
  readonly actions: readonly Action[]
  readonly requeueAfterMs: number | null
}

export function plan(actions: readonly Action[], requeueAfterMs: number | null = null): Plan {
  return { actions, requeueAfterMs }
}
