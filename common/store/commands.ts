import type { Step } from '../gateway/messages.ts'
import type { ErrorStatus } from '../failures.ts'
import type { CommandStatus, CommandType, ProcessingStage } from '../states.ts'
import type { StoredFile } from './files.ts'

/** Submission and reading, by the API server. */
export interface CommandStore {
  /** All rows in one statement: one commit for what arrived in the same event-loop turn. */
  insertCommands(commands: readonly NewCommand[]): Promise<void>
  findCommand(accountId: string, commandId: string): Promise<CommandRecord | null>
  /** Newest first, then by id descending. */
  listCommands(query: {
    accountId: string
    status: CommandStatus | null
    limit: number
    offset: number
  }): Promise<CommandRecord[]>
}

/** What runs: the custom resource's spec without what the row holds in columns of its own. */
export interface CommandSource {
  readonly commands: string[]
  readonly inputFiles: Record<string, string> | null
  readonly inputCompressedFolder: string | null
  /** `null` = OUTPUT_FOLDER. */
  readonly outputFiles: Record<string, string> | null
}

export interface NewCommand {
  readonly commandId: string
  readonly accountId: string
  readonly environmentName: string | null
  readonly commandType: CommandType
  readonly source: CommandSource
  /** The submitted request with defaults filled in, echoed by the status record. */
  readonly originalRequest: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, string | number | boolean>> | null
  /** Effective, after clamping to the plan. */
  readonly vcpuCount: number
  readonly maxRunSeconds: number
  readonly isPrivate: boolean
}

export interface Lifecycle {
  readonly status: CommandStatus
  readonly stage: ProcessingStage | null
  readonly progressPercent: number | null
  readonly steps: Step[]
  readonly errorStatus: ErrorStatus | null
  readonly errorMessage: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** Pods that were given the command. */
  readonly attempts: number
}

export interface CommandRecord extends NewCommand, Lifecycle {
  readonly ffmpegRunSeconds: number | null
  readonly processingBytes: number | null
  /** 1 = next; null once admitted. */
  readonly queuePosition: number | null
  readonly files: StoredFile[]
}
