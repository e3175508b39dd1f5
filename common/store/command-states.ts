import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus, ProcessingStage } from '../domain/states.ts'

/** Store methods that followers of commands poll. */
export interface CommandWatchStore {
  findState(accountId: string, commandId: string): Promise<CommandState | null>
  /** The present states of the commands whose version has changed. */
  findChanged(known: readonly KnownVersion[]): Promise<CommandState[]>
  /** Each `every`th of the account's commands that wait for vCPUs, oldest first. */
  findQueueAnchors(accountId: string, every: number): Promise<QueueAnchor[]>
  /** How many wait behind `after` (null = from the first) up to the command, itself included. */
  countQueued(range: {
    accountId: string
    after: QueueAnchor | null
    commandId: string
  }): Promise<number>
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
  readonly readAt: Date
}

export interface QueueAnchor {
  readonly commandId: string
  readonly createdAt: Date
  /** 1 = next. */
  readonly position: number
}
