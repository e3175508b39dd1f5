import type { Step } from '../gateway/messages.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus, CommandType, ProcessingStage, WorkType } from '../domain/states.ts'
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
  }): Promise<CommandSummary[]>
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
  /** Outputs are deleted so long after the end; null keeps them. */
  readonly outputTtlSeconds: number | null
  /** Receives the event of the end in place of the account's own address. */
  readonly webhookUrl: string | null
}

/** Where the bytes of a stored file are: at an external URL, or uploaded to our own storage. */
export type FileSource =
  { readonly url: string } | { readonly upload: { readonly key: string; readonly name: string } }

/** A row of the work to do: a command, or fetching and probing the file with the same id. */
export interface Work extends Omit<NewCommand, 'commandType' | 'source'> {
  readonly commandType: WorkType
  readonly source: CommandSource & { readonly storedFile?: FileSource }
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

/** What a list shows of a command. */
export interface CommandSummary
  extends
    Pick<NewCommand, 'commandId' | 'environmentName' | 'commandType' | 'metadata'>,
    Pick<Lifecycle, 'status' | 'errorStatus' | 'errorMessage' | 'createdAt' | 'finishedAt'> {
  readonly processingBytes: number | null
  /** Of the outputs that were not deleted; of a folder its archive. */
  readonly storedBytes: number
  /** Deleted ones included. */
  readonly outputCount: number
}

export interface CommandRecord extends NewCommand, Lifecycle {
  /** Counts every change of the record, except its place in the queue. */
  readonly version: number
  readonly ffmpegRunSeconds: number | null
  readonly processingBytes: number | null
  /** 1 = next; null once admitted. Counted to 1,001: farther back it stays at that. */
  readonly queuePosition: number | null
  readonly files: StoredFile[]
}
