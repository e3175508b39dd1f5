import type {
  CommandRecord,
  CommandSummary,
  NewCommand,
  Work,
} from '../../../common/store/commands.ts'
import type { StoredFile } from '../../../common/store/files.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { leastEnded } from '../../../common/database/commands/queue-position.ts'
import { evictedByQueue, lostOnSpot } from '../../../common/domain/failures.ts'
import { queueReasons } from '../../../common/domain/states.ts'
import { pauseOf } from './memory-accounts.ts'
import {
  accountOf,
  inQueueOrder,
  isCommand,
  isWaiting,
  sumVcpus,
  waitsToStart,
  workedFileOf,
} from './memory-rows.ts'
import type { CommandRow, Tables } from './memory-rows.ts'

export function recordOf(tables: Tables, row: CommandRow, now: number): CommandRecord {
  return {
    ...commandOf(row.submission),
    ...lifecycleOf(row),
    version: row.version,
    ffmpegRunSeconds: row.ffmpegRunSeconds,
    processingBytes: row.processingBytes,
    queuePosition: queuePositionOf(tables, row),
    ...queueFactsOf(tables, row, now),
    files: filesOf(tables, row),
    submittedBy: tables.keys.has(row.submittedKeyId ?? '') ? { prefix: null, label: null } : null,
    cancelledBy: row.cancelledBy,
  }
}

export function summaryOf(tables: Tables, row: CommandRow, now: number): CommandSummary {
  const record = recordOf(tables, row, now)
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
  const attempt = tables.attempts.get(`${row.submission.commandId}/${row.attempt}`)
  return {
    ...row.submission,
    ...lifecycleOf(row),
    accountName: accountOf(tables, row.submission.accountId).name,
    accountPlan: accountOf(tables, row.submission.accountId).plan,
    accountLimits: accountOf(tables, row.submission.accountId).limits,
    reservedOutputBytes: row.reservedOutputBytes,
    version: row.version,
    mirroredVersion: row.mirroredVersion,
    mirrored: row.mirroredAt !== null,
    resourceUid: row.resourceUid,
    cancelRequested: row.cancelRequested || file?.deletedAt instanceof Date,
    admitted: row.admittedAt !== null,
    secondsSinceGeneration:
      row.generationBeganAt === null ? null : (now - row.generationBeganAt) / 1_000,
    released: row.releasedAt !== null,
    jobGeneration: row.jobGeneration,
    attempt: row.attempt,
    warmRunnerJob: attempt?.warmRunnerJob ?? null,
    waitedSeconds: attempt?.waitedSeconds ?? null,
    lostAttempts: row.lostAttempts,
    evictions: row.lossReasons.filter((reason) => reason === evictedByQueue).length,
    spotLosses: row.lossReasons.filter((reason) => reason === lostOnSpot).length,
    startWait: row.startWait,
    returnedGeneration: row.returnedGeneration,
    queuePosition: queuePositionOf(tables, row),
    outputs:
      row.status === 'SUCCESS'
        ? {
            count: files.length,
            bytes: files.reduce(
              (sum, file) => sum + (file.compressedBytes ?? file.sizeBytes ?? 0),
              0,
            ),
            first: files
              .slice(0, 10)
              .map(({ alias, key }) => ({ alias: alias ?? '', key: key ?? '' })),
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

function commandOf({ commandType, source, ...rest }: Work): NewCommand {
  if (commandType === 'STORED_FILE') throw new Error('the work on a file is not a command')
  return { ...rest, commandType, source }
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
    warnings: row.warnings,
  }
}

function queuePositionOf(tables: Tables, row: CommandRow): number | null {
  return isWaiting(row) && isCommand(row) ? queueUpTo(tables, row).length : null
}

/** The commands of the account that wait, up to the row itself. */
function queueUpTo(tables: Tables, row: CommandRow): CommandRow[] {
  return [...tables.commands.values()].filter(
    (other) =>
      other.submission.accountId === row.submission.accountId &&
      isWaiting(other) &&
      isCommand(other) &&
      (other === row || inQueueOrder(other, row) < 0),
  )
}

function queueFactsOf(
  tables: Tables,
  row: CommandRow,
  now: number,
): Pick<CommandRecord, 'queueReason' | 'estimatedStartAt'> {
  if (waitsToStart(row)) return { queueReason: row.startWait, estimatedStartAt: null }
  if (!isWaiting(row) || !isCommand(row)) return { queueReason: null, estimatedStartAt: null }
  const share = tables.shares.get(row.submission.accountId)
  const { meanSeconds = null, rateVcpus = null, endedCommands = 0 } = share ?? {}
  const known = queueReasons.find((reason) => reason === share?.reason)
  const isKnown = endedCommands >= leastEnded && meanSeconds !== null && (rateVcpus ?? 0) > 0
  const seconds = isKnown ? (sumVcpus(queueUpTo(tables, row)) * meanSeconds) / (rateVcpus ?? 1) : 0
  return {
    queueReason: known ?? dispatchWait(tables, row),
    estimatedStartAt: isKnown ? new Date(now + seconds * 1_000) : null,
  }
}

function dispatchWait(tables: Tables, row: CommandRow): 'DISPATCH' | 'PAUSED' | null {
  if (row.dispatchedAt !== null) return null
  const pause = pauseOf(tables, 'dispatch', row.submission.accountId)
  return pause === null ? 'DISPATCH' : 'PAUSED'
}

function filesOf(tables: Tables, row: CommandRow): StoredFile[] {
  return tables.files
    .filter((file) => file.commandId === row.submission.commandId)
    .map((file) => ({ ...file, accountId: undefined }))
}
