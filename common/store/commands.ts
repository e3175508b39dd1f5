import type { CommandSource } from '../command-line/model/command-source.ts'
import type { Step } from '../gateway/messages.ts'
import type { CommandWarning } from '../domain/command-warnings.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { Priority } from '../domain/priority.ts'
import type {
  CommandStatus,
  CommandType,
  ProcessingStage,
  QueueReason,
  WorkType,
} from '../domain/states.ts'
import type { ApiKeyRecord } from './accounts.ts'
import type { StoredFile } from './files.ts'

/** Submission and reading, by the API server. */
export interface CommandStore {
  /** All rows in one statement: one commit for the commands that arrived in one event-loop turn. */
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

export interface CommandKey {
  readonly accountId: string
  readonly commandId: string
}

/** Lists by more than one state, and what lists show on request. */
export interface CommandFilterStore {
  /** Newest first, then by id descending. */
  filterCommands(filter: CommandFilter): Promise<CommandSummary[]>
  /** Commands of the account among `commandIds`, in any order. */
  expandCommands(
    accountId: string,
    commandIds: readonly string[],
    withNames: boolean,
  ): Promise<readonly ExpandedCommand[]>
}

export interface CommandFilter {
  readonly accountId: string
  /** null: all. */
  readonly statuses: readonly CommandStatus[] | null
  /** null: all, and those without an error. */
  readonly errorStatuses: readonly ErrorStatus[] | null
  /** RFC 3339, inclusive. */
  readonly createdAfter: string | null
  /** RFC 3339, exclusive. */
  readonly createdBefore: string | null
  /** Values as text, of which all must be equal; null: any. */
  readonly metadata: Readonly<Record<string, string>> | null
  /**
   * Text in a command, in the name of a file or in the id, in any letter case; the newest 10,000 commands of the span are
   * read, and other filters apply to what is found. null: any.
   */
  readonly search: string | null
  /** Only commands that follow this one in the list; none if the account does not have it. */
  readonly beforeId: string | null
  readonly limit: number
  readonly offset: number
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
  /** TTL of the outputs after the command's end; null keeps them. */
  readonly outputTtlSeconds: number | null
  /** Lifetime of the presigned URLs in records of private outputs; null: records have the plain URLs. */
  readonly presignedTtlSeconds: number | null
  /** The most bytes that it reserves of each quota; null or absent: the account has no quota. */
  readonly mostReservedBytes?: number | null
  /** Receives the event of the end in place of the account's own address. */
  readonly webhookUrl: string | null
  /** The key of the request; null or absent: it was submitted without one. */
  readonly submittedKeyId?: string | null
  /** Orders the commands of the account; fixed at the submission. */
  readonly priority: Priority
}

/** The bytes of a stored file are at an external URL or were uploaded to our own storage. */
export type FileSource =
  { readonly url: string } | { readonly upload: { readonly key: string; readonly name: string } }

/** A row of the queue: a command, or downloading and probing the file with the same id. */
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
  /** Warnings of a SUCCESS; empty for any other state. */
  readonly warnings: readonly CommandWarning[]
}

/** An item of the list of commands. */
export interface CommandSummary
  extends
    Pick<NewCommand, 'commandId' | 'environmentName' | 'commandType' | 'metadata'>,
    Pick<Lifecycle, 'status' | 'errorStatus' | 'errorMessage' | 'createdAt' | 'finishedAt'> {
  readonly processingBytes: number | null
  /** Size of the outputs that were not deleted; for a folder the size of its archive. */
  readonly storedBytes: number
  /** Deleted ones included. */
  readonly outputCount: number
}

export interface CommandRecord
  extends Omit<NewCommand, 'originalRequest' | 'submittedKeyId'>, Lifecycle, Queued {
  /** null once its retention has passed; the source has no commands then. */
  readonly originalRequest: NewCommand['originalRequest'] | null
  /** Increases with every change of the record except its queue position. */
  readonly version: number
  readonly ffmpegRunSeconds: number | null
  readonly processingBytes: number | null
  /** null where it is not known, and behind position 1,000. */
  readonly estimatedStartAt: Date | null
  readonly files: StoredFile[]
  /** null where no key is known. */
  readonly submittedBy: Pick<ApiKeyRecord, 'prefix' | 'label'> | null
  /** Who cancelled first; the command may have ended otherwise. */
  readonly cancelledBy: string | null
}

export interface Queued {
  /** 1 = next; null once admitted. At most 1,001: positions behind that are not counted. */
  readonly queuePosition: number | null
  /** null once admitted, and until the reason is known. */
  readonly queueReason: QueueReason | null
}

export interface ExpandedCommand extends Queued {
  readonly commandId: string
  readonly stage: ProcessingStage | null
  readonly progressPercent: number | null
  readonly startedAt: Date | null
  readonly vcpuCount: number
  /** The first 300 characters of the first FFmpeg command; null once the retention of originals has passed. */
  readonly commandText: string | null
  readonly stepCount: number
  /**
   * URLs of the first inputs without their queries, of which only the end is kept. null where names are not wanted, and once
   * the retention of originals has passed.
   */
  readonly inputPaths: readonly string[] | null
  /** null as `inputPaths` is. */
  readonly outputNames: string[] | null
}
