import type { Step, LogChunk, Usage } from '../gateway/messages.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus, ProcessingStage } from '../domain/states.ts'
import type { ReconcileRow } from './reconcile.ts'
import type { NewFile } from './files.ts'

/** What runners ask and report through the gateway, and what the sweep clears away after them. */
export interface AttemptStore {
  claimAttempt(claim: { commandId: string; round: number; podUid: string }): Promise<Claim>
  /** Guarded by attempt, "not final" and "not backward". Log chunks are stored once per sequence. */
  storeProgress(
    progress: Progress,
  ): Promise<
    | { kind: 'stored'; cancel: boolean }
    | { kind: 'final'; status: CommandStatus; errorStatus: ErrorStatus | null }
    | { kind: 'superseded' }
  >
  /** The one commit point: outcome and file rows in one transaction, guarded by attempt and "not final". */
  commitOutcome(commit: OutcomeCommit): Promise<Committed>
  recordUpload(upload: Upload): Promise<void>
  /** The newest multipart upload that this attempt opened for `key`. */
  findUpload(attempt: string, key: string): Promise<Upload | null>
  forgetUpload(uploadId: string): Promise<void>
  /**
   * Attempts that lost or failed at least `olderThanSeconds` ago and are not swept yet: everything
   * below `prefix` goes. `prefix` is null for an attempt that won but left multipart uploads open:
   * only these go.
   */
  findSweepable(query: {
    olderThanSeconds: number
    limit: number
  }): Promise<{ commandId: string; attempt: string; prefix: string | null; uploads: Upload[] }[]>
  markSwept(commandId: string, attempt: string): Promise<void>
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
  | { readonly status: 'SUCCESS'; readonly files: NewFile[] }
  | { readonly status: 'FAILED'; readonly errorStatus: ErrorStatus; readonly errorMessage: string }

export interface OutcomeCommit {
  readonly commandId: string
  /** The attempt that reports; null for an end decided without one (cancel, start timeout). */
  readonly attempt: string | null
  readonly outcome: Outcome
  /** null: keep what progress last stored, unfinished steps become FAILED or SKIPPED. */
  readonly steps: Step[] | null
  readonly usage: Usage | null
  readonly logs: LogChunk[]
}

export type Committed =
  | { readonly kind: 'committed' }
  /** Final already, by this or another way; what is recorded counts. */
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
