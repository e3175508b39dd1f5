import type { FileSource, Work } from '../../../common/store/commands.ts'
import type { Usage } from '../../../common/store/limits.ts'
import { accountOf, hasJob, isCommand, newRow, rowsOf } from './memory-rows.ts'
import type { CommandRow, Methods, Tables, WorkedFile } from './memory-rows.ts'

/** Stored files and what is stored at all. */
export function memoryFiles(tables: Tables, now: () => number) {
  return {
    importFile({ fileId, url, resourceUid, keepDays = null, ...file }) {
      accountOf(tables, file.accountId)
      if (tables.files.every((each) => each.fileId !== fileId)) {
        const fresh = newStoredFile(fileId, new Date(now()))
        const expiresAt = keepDays === null ? null : new Date(now() + keepDays * 86_400_000)
        tables.files.push({ ...fresh, ...file, originalFileUrl: url, expiresAt })
      }
      if (tables.commands.has(fileId)) return 'exists'
      const row = newRow(fileWork(fileId, file, { url }), now())
      row.dispatchedAt = row.unmirroredSince = now()
      row.resourceUid = resourceUid
      tables.commands.set(fileId, row)
      return 'inserted'
    },
    readUsage: (accountId) => usageOf(tables, accountId, now()),
    readQueue(accountId, list) {
      const rows = rowsOf(tables).filter(({ submission }) => submission.accountId === accountId)
      const files = tables.files.filter(
        (file) => file.accountId === accountId && file.deletedAt === null,
      )
      const listed = list === 'commands' ? rows.filter(isCommand) : files
      return {
        queued: listed.filter(({ status }) => status === 'QUEUED').length,
        running: rows.filter(hasJob).length,
        meanSeconds: tables.shares.get(accountId)?.meanSeconds ?? null,
      }
    },
  } satisfies Partial<Methods>
}

/** A record without its account. */
function newStoredFile(
  fileId: string,
  createdAt: Date,
): Omit<WorkedFile, 'accountId' | 'environmentName' | 'isPrivate'> {
  return {
    fileId,
    storeType: 'STORED_FILE',
    status: 'QUEUED',
    errorStatus: null,
    errorMessage: null,
    commandId: null,
    alias: null,
    key: null,
    originalFileUrl: null,
    sizeBytes: null,
    compressedBytes: null,
    fileCount: null,
    media: null,
    presignedTtlSeconds: null,
    createdAt,
    expiresAt: null,
    deletedAt: null,
  }
}

/** Work of a record, as the statement of the database returns it. */
function fileWork(
  fileId: string,
  file: Pick<WorkedFile, 'accountId' | 'environmentName' | 'isPrivate'>,
  storedFile: FileSource,
): Work {
  return {
    commandId: fileId,
    ...file,
    commandType: 'STORED_FILE',
    source: {
      commands: [],
      inputFiles: null,
      inputCompressedFolder: null,
      outputFiles: null,
      storedFile,
    },
    originalRequest: {},
    metadata: null,
    vcpuCount: 0,
    maxRunSeconds: 120,
    outputTtlSeconds: null,
    presignedTtlSeconds: null,
    priority: 'normal',
    webhookUrl: null,
  }
}

export function usageOf(tables: Tables, accountId: string, nowMs: number): Usage {
  const files = tables.files.filter(
    (file) =>
      file.accountId === accountId &&
      file.deletedAt === null &&
      (file.status === 'UPLOADED' || file.status === 'STORED'),
  )
  const rows = [...tables.commands.values()].filter(
    ({ submission }) => submission.accountId === accountId,
  )
  const now = new Date(nowMs)
  const month = (offset: number): Date =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset))
  return {
    storedBytes: files.reduce(
      (sum, { compressedBytes, sizeBytes }) => sum + (compressedBytes ?? sizeBytes ?? 0),
      0,
    ),
    processingBytes: rows.reduce((sum, row) => sum + (row.processingBytes ?? 0), 0),
    ...sumReserved(rows.filter(({ finishedAt }) => finishedAt === null)),
    monthStart: month(0),
    monthEnd: month(1),
  }
}

export function sumReserved(rows: readonly CommandRow[]) {
  const sum = (of: (row: CommandRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0)
  return {
    reservedBytes: sum((row) => row.reservedBytes),
    reservedOutputBytes: sum((row) => row.reservedOutputBytes),
  }
}
