import type { Step, LogChunk, Usage } from '../gateway/messages.ts'
import type { CommandWarning } from '../domain/command-warnings.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus, ProcessingStage } from '../domain/states.ts'
import type { Work } from './commands.ts'
import type { ReconcileRow } from './reconcile.ts'
import type { NewFile } from './files.ts'
import type { SweepBacklog } from './health.ts'

/** Store methods of the gateway, which runners call, and of the sweep of their objects. */
export interface AttemptStore {
  claimAttempt(claim: {
    commandId: string
    jobGeneration: number
    podUid: string
    /** Data for the timeline; null where it is not known. */
    start?: PodStart | null
  }): Promise<Claim>
  /** Guarded by attempt, "not final" and "not backward". Log chunks are idempotent per sequence. */
  storeProgress(progress: Progress): Promise<
    | { kind: 'stored'; cancel: boolean }
    | { kind: 'final'; status: CommandStatus; errorStatus: ErrorStatus | null }
    | { kind: 'superseded' }
    /** The report has other steps than the command, which has so many. */
    | { kind: 'other-steps'; steps: number }
  >
  /** The one commit point: outcome and file rows in one transaction, guarded by attempt and "not final". */
  commitOutcome(commit: OutcomeCommit): Promise<Committed>
  recordUpload(upload: Upload): Promise<void>
  /** The newest multipart upload that this attempt opened for `key`. */
  findUpload(attempt: string, key: string): Promise<Upload | null>
  forgetUpload(uploadId: string): Promise<void>
  /**
   * Attempts that lost or failed at least `olderThanSeconds` ago and are not swept yet, and whose
   * sweep was not postponed: those that are due for longest first.
   */
  findSweepable(query: { olderThanSeconds: number; limit: number }): Promise<SweepableAttempt[]>
  markSwept(commandId: string, attempt: string): Promise<void>
  /** The sweep failed: the attempt is due again after 30 s, doubled with each failure up to 6 hours. */
  postponeSweep(commandId: string, attempt: string): Promise<void>
  sweepBacklog(query: { olderThanSeconds: number }): Promise<SweepBacklog>
}

/** Seconds from the creation of a pod, whole ones. */
export interface PodStart {
  /** Until a node took it. */
  readonly nodeSeconds: number
  /** Until its node began with the containers; null where Kubernetes does not say. */
  readonly sandboxSeconds: number | null
}

export interface SweepableAttempt {
  readonly commandId: string
  readonly accountId: string
  readonly attempt: string
  /**
   * The sweep deletes every object below it. null for an attempt that won but left multipart uploads
   * open: the sweep aborts only these.
   */
  readonly prefix: string | null
  readonly uploads: Upload[]
}

export type Claim =
  | { readonly kind: 'assigned'; readonly row: ReconcileRow }
  | { readonly kind: 'held' }
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'final'
      readonly status: CommandStatus
      readonly errorStatus: ErrorStatus | null
    }
  | { readonly kind: 'unknown' }

export interface Progress {
  readonly commandId: string
  readonly attempt: string
  readonly status: 'PROCESSING' | 'PREPARED_FFMPEG_COMMAND'
  readonly stage: ProcessingStage
  readonly progressPercent: number | null
  readonly steps: Step[]
  readonly logs: LogChunk[]
}

export type Outcome =
  | {
      readonly status: 'SUCCESS'
      readonly files: NewFile[]
      /** Absent: none. */
      readonly warnings?: readonly CommandWarning[]
    }
  | { readonly status: 'FAILED'; readonly errorStatus: ErrorStatus; readonly errorMessage: string }

export interface OutcomeCommit {
  readonly commandId: string
  /** The attempt that reports; null for an end decided without one (cancel, start timeout). */
  readonly attempt: string | null
  /** Generation of the Job whose attempt reports: a report of an earlier one is refused. */
  readonly jobGeneration?: number
  readonly outcome: Outcome
  /** null keeps the steps that progress last stored; unfinished ones become FAILED or SKIPPED. */
  readonly steps: Step[] | null
  readonly usage: Usage | null
  readonly logs: LogChunk[]
  /** Who cancelled, in words for users; a request to cancel that the row has already stays. */
  readonly cancelledBy?: string | null
}

export type Committed =
  | { readonly kind: 'committed' }
  /** Final already, by this or another writer; the recorded outcome is valid. */
  | {
      readonly kind: 'final'
      readonly status: CommandStatus
      readonly errorStatus: ErrorStatus | null
      readonly attempt: string | null
    }
  /** Another attempt holds the command, or the row is gone. */
  | { readonly kind: 'superseded' }

export interface Upload {
  readonly commandId: string
  readonly attempt: string
  readonly key: string
  readonly uploadId: string
}

/**
 * Store methods for a database that has lost its last commits: what is kept outside of it about an
 * end that users were shown, and how that end is recorded again.
 */
export interface ResultStore {
  /** All that a lost SUCCESS can be recorded from; null unless the row is SUCCESS. */
  findResult(commandId: string): Promise<RecordedResult | null>
  /**
   * Records an end that was shown, also if the claim of its attempt was lost with it. The winner
   * does not count as lost any more, and the objects of all other attempts are swept. Guarded by "not final".
   */
  restoreOutcome(shown: ShownOutcome): Promise<Restored>
  readHistory(): Promise<DatabaseHistory>
  /** Records that all custom resources were compared with their rows under this history. */
  recordCompared(history: string): Promise<void>
}

/** An end with its times in RFC 3339, by the clock of the database. */
interface End {
  readonly commandId: string
  readonly steps: Step[]
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Pods that were given the command. */
  readonly attempts: number
  readonly ffmpegRunSeconds: number | null
  readonly processingBytes: number
}

export interface ShownOutcome extends End {
  /** null = it ended without an attempt. */
  readonly attempt: string | null
  /** 0 = it was not admitted. */
  readonly jobGeneration: number
  readonly outcome:
    | {
        readonly status: 'SUCCESS'
        readonly files: readonly NewFile[]
        readonly warnings?: readonly CommandWarning[]
      }
    | {
        readonly status: 'FAILED'
        readonly errorStatus: ErrorStatus
        readonly errorMessage: string
      }
}

/** SUCCESS, with the submission: a row that is lost too can be inserted again. */
export interface RecordedResult extends End {
  readonly attempt: string
  /** Generation of the Job, under the name that older result objects have it. */
  readonly round: number
  readonly createdAt: string
  readonly submission: Work
  /** The outputs, or the object of the stored file. */
  readonly files: readonly NewFile[]
  /** Absent in result objects of earlier releases. */
  readonly warnings?: readonly CommandWarning[]
}

/**
 * `final`: the row has an end already. `swept`: the objects of the attempt are deleted. `absent`: the row
 * does not exist.
 */
export type Restored = 'restored' | 'final' | 'swept' | 'absent'

export interface DatabaseHistory {
  /** Changes if the server was restarted, promoted or restored. */
  readonly current: string
  /** null: custom resources were never compared. */
  readonly compared: string | null
}

/** Backoff of sweeps that failed, doubled with each failure. */
export const sweepBackoffSeconds = { first: 30, longest: 21_600 } as const

/** A lost attempt is swept again so long after the first time: its pod may have stored a last object. */
export const sweptAgainSeconds = 86_400
