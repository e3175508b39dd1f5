import type { MediaFacts, Step, LogChunk, Usage } from './gateway/messages.ts'
import type { ErrorStatus } from './failures.ts'
import type { CommandStatus, CommandType, ProcessingStage } from './states.ts'

/**
 * Every question and every change that Postgres answers, as the rest of the program sees it: one
 * method, one statement or one transaction. `common/database` holds the statements; the simulator
 * has an in-memory twin, held to the same contract test.
 *
 * All times come from the database. All methods reject on an unreachable database with
 * `DatabaseUnavailable` and change nothing then, except where the reply of a COMMIT got lost:
 * repeating a method is always safe.
 */
export interface Store {
  // Accounts and keys
  ensureAccount(account: NewAccount): Promise<Account>
  /** Adds a key by its SHA-256; a known hash changes nothing. */
  ensureApiKey(key: {
    accountId: string
    sha256: Uint8Array
    environmentName: string | null
  }): Promise<void>
  findKey(sha256: Uint8Array): Promise<AuthenticatedKey | null>
  findAccountByName(name: string): Promise<Account | null>

  // Submission and reading (api-server)
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

  // Dispatch (api-server)
  /**
   * Rows without a custom resource, oldest first, leased for `leaseSeconds` so that replicas do not
   * work on the same ones. Returns none while `liveLimit` resources are alive.
   */
  claimUndispatched(query: {
    limit: number
    liveLimit: number
    leaseSeconds: number
  }): Promise<UndispatchedCommand[]>
  markDispatched(commandId: string, resourceUid: string): Promise<void>

  // Reconcile (operator)
  findForReconcile(commandId: string): Promise<ReconcileRow | null>
  /** A command applied with kubectl. `exists` when a row with this id is there already. */
  importCommand(command: NewCommand & { resourceUid: string }): Promise<'inserted' | 'exists'>
  /** Records a refused import: a row that is FAILED from the start, INVALID_COMMAND. */
  importRefused(
    command: NewCommand & { resourceUid: string; errorMessage: string },
  ): Promise<'inserted' | 'exists'>
  /** Accounts with dispatched rows that wait for admission, the one waiting longest first. */
  accountsWaiting(limit: number): Promise<Account[]>
  /**
   * One transaction under the account's row lock: sums `vcpu_count` over its admitted, unreleased
   * rows, walks the waiting ones oldest first and admits those that fit (`round` becomes 1). A
   * smaller one may pass a larger one until the larger has waited `passSeconds`.
   * @returns ids admitted now, and how many remain
   */
  admit(query: {
    accountId: string
    vcpuLimit: number | null
    passSeconds: number
    liveJobLimit: number
  }): Promise<Admission>
  /**
   * The attempt behind the round's pod was lost (evicted, node gone, deleted, crashed): fences it
   * and starts the next round, or ends the command where none is left. Guarded by round, attempt and
   * "not final"; `null` = the guard did not hold, someone else was first.
   * A `charged` loss counts as crash of the runner, an uncharged one as loss of infrastructure; both
   * use up attempts. With the Job still alive and able to start the next pod itself, `sameRound` keeps
   * it; a loss without any pod always begins the next round.
   */
  loseAttempt(loss: LostAttempt): Promise<{ round: number } | { ended: ErrorStatus } | null>
  /** Frees the account's vCPUs; false if they were free already. */
  releaseQuota(commandId: string): Promise<boolean>
  /** Versions the custom resource does not show yet: finished first, then by age. */
  findUnmirrored(limit: number): Promise<{ commandId: string; version: number; final: boolean }[]>
  /** The custom resource shows `version`. Final rows get `mirrored_at` by it. */
  markMirrored(commandId: string, version: number): Promise<void>
  /**
   * Finished, mirrored and released rows whose custom resource may go: mirrored at least
   * `olderThanSeconds` ago; the `keepNewest` newest stay until `keepSeconds`.
   */
  findCollectable(query: {
    olderThanSeconds: number
    keepNewest: number
    keepSeconds: number
    limit: number
  }): Promise<string[]>
  markResourceDeleted(commandId: string): Promise<void>
  /**
   * Dispatched and not final, or final and still holding vCPUs, in pages by id: compared with the
   * cluster by drift.
   */
  findUnsettled(query: { afterCommandId: string | null; limit: number }): Promise<string[]>
  /**
   * The custom resource is gone without a trace of anyone's wish: dispatch builds it again, the
   * attempt that held it is fenced, the next round begins. Nothing where the UID is another by now.
   */
  undispatch(commandId: string, resourceUid: string): Promise<void>
  /** Somebody wants it stopped: cancel in the spec or a deletion timestamp. Idempotent. */
  requestCancel(commandId: string): Promise<void>

  // Runner gateway (operator)
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
  /** A stored file that may be an input of this account, by its object key. */
  findStoredObject(accountId: string, key: string): Promise<{ name: string } | null>

  // Sweep (operator)
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

  // Health and figures
  /** Throws unless the database answers and has the schema this program needs. */
  ping(): Promise<void>
  gauges(): Promise<Gauges>
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly plan: string
}

export interface Account extends NewAccount {
  readonly suspended: boolean
}

export interface AuthenticatedKey {
  readonly account: Account
  readonly environmentName: string | null
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

export interface UndispatchedCommand extends NewCommand {
  readonly accountName: string
  /** Above 0 where an earlier resource of the command vanished after its admission. */
  readonly round: number
}

interface Lifecycle {
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

export interface ReconcileRow extends NewCommand, Lifecycle {
  readonly accountName: string
  /** Counts every change of the row; `mirroredVersion` is what the custom resource shows. */
  readonly version: number
  readonly mirroredVersion: number
  readonly mirrored: boolean
  readonly resourceUid: string | null
  readonly cancelRequested: boolean
  readonly admitted: boolean
  /** Seconds since admission or since the present round began, by the database's clock. */
  readonly secondsSinceRound: number | null
  readonly released: boolean
  /** 0 before admission, then the number of the present Job. */
  readonly round: number
  /** Pod UID that holds the command now. */
  readonly attempt: string | null
  /** Pod UIDs of this command that were fenced. */
  readonly lostAttempts: string[]
  readonly queuePosition: number | null
  readonly outputs: { count: number; bytes: number; firstKey: string | null } | null
}

export interface Admission {
  readonly admitted: string[]
  readonly waiting: number
  readonly vcpuInUse: number
}

export interface LostAttempt {
  readonly commandId: string
  readonly round: number
  /** null: the pod died before it asked for its assignment. */
  readonly attempt: string | null
  readonly podUid: string | null
  readonly reason: string
  readonly charged: boolean
  readonly sameRound: boolean
  readonly maxAttempts: number
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

export interface NewFile {
  readonly fileId: string
  readonly alias: string
  readonly key: string
  readonly sizeBytes: number
  readonly compressedBytes: number | null
  readonly fileCount: number | null
  readonly media: MediaFacts
}

export interface StoredFile extends NewFile {
  readonly commandId: string
  readonly environmentName: string | null
  readonly isPrivate: boolean
  readonly createdAt: Date
  readonly deletedAt: Date | null
}

export interface Upload {
  readonly commandId: string
  readonly attempt: string
  readonly key: string
  readonly uploadId: string
}

export interface Gauges {
  readonly byStatus: Record<string, number>
  readonly oldestQueuedSeconds: number
  readonly queuedVcpus: number
  readonly ledgerVcpus: number
  readonly unmirroredSeconds: number
  readonly undispatchedSeconds: number
}

/** The database cannot be asked now. HTTP answers it with 503 and Retry-After. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
    this.name = 'DatabaseUnavailable'
  }
}
