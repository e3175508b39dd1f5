import { queuedSteps } from '../../../common/database/commands/queued-steps.ts'
import type { ErrorStatus } from '../../../common/failures.ts'
import type { LogChunk, Step } from '../../../common/gateway/messages.ts'
import { isFinal } from '../../../common/states.ts'
import type { CommandStatus, ProcessingStage } from '../../../common/states.ts'
import type { Account } from '../../../common/store/accounts.ts'
import type {
  CommandRecord,
  CommandSummary,
  NewCommand,
  Work,
} from '../../../common/store/commands.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { RoadStore } from '../../../common/store/store.ts'
import type { StoredFile } from '../../../common/store/files.ts'
import type { Upload } from '../../../common/store/attempts.ts'

/** A row of `commands`, column by column; times are milliseconds of the store's clock. */
export interface CommandRow {
  readonly submission: Work
  readonly createdAt: number
  status: CommandStatus
  stage: ProcessingStage | null
  progressPercent: number | null
  steps: Step[]
  errorStatus: ErrorStatus | null
  errorMessage: string | null
  startedAt: number | null
  finishedAt: number | null
  ffmpegRunSeconds: number | null
  processingBytes: number | null
  version: number
  mirroredVersion: number
  unmirroredSince: number | null
  mirroredAt: number | null
  leasedUntil: number | null
  dispatchedAt: number | null
  resourceUid: string | null
  resourceDeletedAt: number | null
  cancelRequested: boolean
  admittedAt: number | null
  releasedAt: number | null
  round: number
  roundBeganAt: number | null
  attempt: string | null
  attempts: number
  lostAttempts: string[]
  lossReasons: string[]
  chargedLosses: number
}

export interface AttemptRow {
  readonly commandId: string
  readonly attempt: string
  sweepFrom: number | null
  sweptAt: number | null
}

export type WorkedFile = { -readonly [Field in keyof StoredFile]: StoredFile[Field] } & {
  readonly accountId: string
}

/** Maps keep the order of insertion, so every walk over them is the same in every run. */
export interface Tables {
  readonly accounts: Map<string, Account>
  readonly keys: Map<string, { accountId: string; environmentName: string | null }>
  readonly commands: Map<string, CommandRow>
  readonly attempts: Map<string, AttemptRow>
  readonly files: WorkedFile[]
  readonly uploads: Map<string, Upload>
  readonly logs: Map<string, LogChunk>
}

/** Runs one method of the store between its hooks. */
export type Answer = <T>(method: keyof RoadStore, run: () => T) => Promise<T>

export function emptyTables(): Tables {
  return {
    accounts: new Map(),
    keys: new Map(),
    commands: new Map(),
    attempts: new Map(),
    files: [],
    uploads: new Map(),
    logs: new Map(),
  }
}

export function newRow(submission: Work, now: number): CommandRow {
  return {
    submission,
    createdAt: now,
    status: 'QUEUED',
    stage: null,
    progressPercent: null,
    steps: queuedSteps(submission.source.commands.length),
    errorStatus: null,
    errorMessage: null,
    startedAt: null,
    finishedAt: null,
    ffmpegRunSeconds: null,
    processingBytes: null,
    version: 1,
    mirroredVersion: 0,
    unmirroredSince: null,
    mirroredAt: null,
    leasedUntil: null,
    dispatchedAt: null,
    resourceUid: null,
    resourceDeletedAt: null,
    cancelRequested: false,
    admittedAt: null,
    releasedAt: null,
    round: 0,
    roundBeganAt: null,
    attempt: null,
    attempts: 0,
    lostAttempts: [],
    lossReasons: [],
    chargedLosses: 0,
  }
}

export function isWaiting(row: CommandRow): boolean {
  return row.admittedAt === null && row.finishedAt === null
}

export function hasResource(row: CommandRow): boolean {
  return row.dispatchedAt !== null && row.resourceDeletedAt === null
}

export function usesVcpus(row: CommandRow): boolean {
  return row.admittedAt !== null && row.releasedAt === null
}

export function oldestFirst(a: CommandRow, b: CommandRow): number {
  return a.createdAt - b.createdAt || (a.submission.commandId < b.submission.commandId ? -1 : 1)
}

export function recordOf(tables: Tables, row: CommandRow): CommandRecord {
  return {
    ...commandOf(row.submission),
    ...lifecycleOf(row),
    version: row.version,
    ffmpegRunSeconds: row.ffmpegRunSeconds,
    processingBytes: row.processingBytes,
    queuePosition: queuePositionOf(tables, row),
    files: filesOf(tables, row),
  }
}

export function summaryOf(tables: Tables, row: CommandRow): CommandSummary {
  const record = recordOf(tables, row)
  const stored = record.files.filter((file) => file.deletedAt === null)
  return {
    commandId: record.commandId,
    environmentName: record.environmentName,
    commandType: record.commandType,
    metadata: record.metadata,
    status: record.status,
    errorStatus: record.errorStatus,
    errorMessage: record.errorMessage,
    createdAt: record.createdAt,
    finishedAt: record.finishedAt,
    processingBytes: record.processingBytes,
    storedBytes: stored.reduce(
      (sum, file) => sum + (file.compressedBytes ?? file.sizeBytes ?? 0),
      0,
    ),
    outputCount: record.files.length,
  }
}

export function reconcileRowOf(tables: Tables, row: CommandRow, now: number): ReconcileRow {
  const files = filesOf(tables, row)
  const file = workedFileOf(tables, row)
  return {
    ...row.submission,
    ...lifecycleOf(row),
    accountName: accountOf(tables, row.submission.accountId).name,
    version: row.version,
    mirroredVersion: row.mirroredVersion,
    mirrored: row.mirroredAt !== null,
    resourceUid: row.resourceUid,
    cancelRequested: row.cancelRequested || file?.deletedAt instanceof Date,
    admitted: row.admittedAt !== null,
    secondsSinceRound: row.roundBeganAt === null ? null : (now - row.roundBeganAt) / 1_000,
    released: row.releasedAt !== null,
    round: row.round,
    attempt: row.attempt,
    lostAttempts: row.lostAttempts,
    queuePosition: queuePositionOf(tables, row),
    outputs:
      row.status === 'SUCCESS'
        ? {
            count: files.length,
            bytes: files.reduce(
              (sum, file) => sum + (file.compressedBytes ?? file.sizeBytes ?? 0),
              0,
            ),
            firstKey: files[0]?.key ?? null,
          }
        : null,
    file:
      file === null
        ? null
        : {
            status: file.status,
            errorStatus: file.errorStatus,
            errorMessage: file.errorMessage,
            key: file.key,
            sizeBytes: file.sizeBytes,
            fileType: file.media?.file_type ?? null,
            deleted: file.deletedAt !== null,
          },
  }
}

/** The record that the work on a stored file fills in. */
export function workedFileOf(tables: Tables, { submission }: CommandRow): WorkedFile | null {
  return submission.commandType === 'STORED_FILE'
    ? (tables.files.find(({ fileId }) => fileId === submission.commandId) ?? null)
    : null
}

/** Users find commands only. */
export function isCommand(row: CommandRow): boolean {
  return row.submission.commandType !== 'STORED_FILE'
}

function commandOf({ commandType, source, ...rest }: Work): NewCommand {
  if (commandType === 'STORED_FILE') throw new Error('the work on a file is no command')
  return { ...rest, commandType, source }
}

export function accountOf(tables: Tables, accountId: string): Account {
  const account = tables.accounts.get(accountId)
  if (account === undefined) throw new Error(`no account ${accountId}`)
  return account
}

export function isEnded(row: CommandRow): boolean {
  return isFinal(row.status)
}

function lifecycleOf(row: CommandRow) {
  return {
    status: row.status,
    stage: row.stage,
    progressPercent: row.progressPercent,
    steps: row.steps,
    errorStatus: row.errorStatus,
    errorMessage: row.errorMessage,
    createdAt: new Date(row.createdAt),
    startedAt: row.startedAt === null ? null : new Date(row.startedAt),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt),
    attempts: row.attempts,
  }
}

function queuePositionOf(tables: Tables, row: CommandRow): number | null {
  if (!isWaiting(row) || !isCommand(row)) return null
  return (
    [...tables.commands.values()].filter(
      (other) =>
        other.submission.accountId === row.submission.accountId &&
        isWaiting(other) &&
        isCommand(other) &&
        oldestFirst(other, row) < 0 &&
        other !== row,
    ).length + 1
  )
}

function filesOf(tables: Tables, row: CommandRow): StoredFile[] {
  return tables.files
    .filter((file) => file.commandId === row.submission.commandId)
    .map((file) => ({ ...file, accountId: undefined }))
}
