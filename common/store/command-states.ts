import type { Step } from '../gateway/messages.ts'
import type { PodStart } from './attempts.ts'
import type { Queued } from './commands.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus, ProcessingStage, QueueReason } from '../domain/states.ts'

/** Store methods that followers of commands poll. */
export interface CommandWatchStore {
  findState(accountId: string, commandId: string): Promise<CommandState | null>
  /** The present states of the commands whose version has changed. */
  findChanged(known: readonly KnownVersion[]): Promise<CommandState[]>
  /**
   * How many commands of the account that were submitted up to this one are QUEUED, itself included.
   * Reads counters, so priorities and admitted commands that have no runner yet are not considered.
   */
  countQueued(command: { accountId: string; commandId: string }): Promise<number>
  /**
   * Commands of each account that have not ended, at most `most` of each status, newest first, and
   * those submitted in the last 10 s that have.
   */
  findLive(accountIds: readonly string[], most: number): Promise<LiveCommand[]>
  /** Without their places in the queue. */
  findLiveByIds(commandIds: readonly string[]): Promise<LiveCommand[]>
}

export interface KnownVersion {
  readonly commandId: string
  /** Increases with every change of the command's record except its queue position. */
  readonly version: number
}

export interface CommandState extends KnownVersion {
  readonly status: CommandStatus
  readonly stage: ProcessingStage | null
  readonly progressPercent: number | null
  readonly attempts: number
  readonly errorStatus: ErrorStatus | null
  /** FFmpeg commands of the chain. */
  readonly stepCount: number
  readonly createdAt: Date
  readonly readAt: Date
}

/** State of a command that followers of an account see. */
export interface LiveCommand extends Queued, Omit<CommandState, 'stepCount'> {
  readonly accountId: string
  readonly errorMessage: string | null
  readonly steps: readonly Step[]
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** Durations of the stages of a command, for the API server. */
export interface TimelineStore {
  findTimeline(accountId: string, commandId: string): Promise<RecordedTimeline | null>
}

export interface RecordedTimeline {
  readonly commandId: string
  readonly status: CommandStatus
  readonly createdAt: Date
  /** When its custom resource existed. */
  readonly dispatchedAt: Date | null
  readonly admittedAt: Date | null
  readonly finishedAt: Date | null
  /** Reason that it waits, or waited until its admission; null where it is not known. */
  readonly waitReason: QueueReason | null
  readonly processingBytes: number | null
  /** Sum of all outputs; null if one was packed, as its size is then not what was processed. */
  readonly outputBytes: number | null
  /** Number of stored files, with those of playlists and folders. */
  readonly outputFiles: number
  readonly steps: readonly Step[]
  readonly marks: readonly Mark[]
  /** Pod starts of attempts whose pod was made for them; attempt 1 = the first. */
  readonly podStarts: readonly (PodStart & { readonly attempt: number })[]
  /** Oldest first. */
  readonly attempts: readonly { readonly claimedAt: string; readonly lostAt: string | null }[]
}

/** A report that began a stage or a step; `at` is RFC 3339 by the clock of the database. */
export interface Mark {
  /** 1 = the first. */
  readonly attempt: number
  readonly stage?: ProcessingStage
  /** Index of the step. */
  readonly step?: number
  readonly at: string
}
