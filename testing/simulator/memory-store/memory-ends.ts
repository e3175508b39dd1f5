import { fileErrorStatus } from '../../../common/domain/failures.ts'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'
import type { NewFile } from '../../../common/store/files.ts'
import { copyOf, isCommand, workedFileOf } from './memory-rows.ts'
import type { CommandRow, Tables } from './memory-rows.ts'

type Ending =
  | {
      readonly status: 'SUCCESS'
      readonly files: readonly NewFile[]
      readonly warnings?: readonly CommandWarning[]
    }
  | {
      readonly status: 'FAILED'
      readonly errorStatus: ErrorStatus
      readonly errorMessage: string
    }

/** A failure has none: its message explains it. */
export function warningsOf(outcome: Ending): readonly CommandWarning[] {
  return outcome.status === 'SUCCESS' ? copyOf(outcome.warnings ?? []) : []
}

/** The files of an end, as old as the end itself. */
export function addOutputs(tables: Tables, row: CommandRow, outcome: Ending): void {
  if (outcome.status === 'FAILED' || !isCommand(row)) return
  const { commandId, accountId, environmentName, isPrivate } = row.submission
  const { outputTtlSeconds, presignedTtlSeconds } = row.submission
  const endMs = row.finishedAt ?? 0
  const createdAt = new Date(endMs)
  const expiresAt = outputTtlSeconds === null ? null : new Date(endMs + outputTtlSeconds * 1_000)
  const known = new Set(tables.files.map(({ fileId }) => fileId))
  for (const file of outcome.files.filter(({ fileId }) => !known.has(fileId))) {
    tables.files.push({
      ...copyOf(file),
      commandId,
      accountId,
      environmentName,
      isPrivate,
      createdAt,
      deletedAt: null,
      presignedTtlSeconds,
      storeType: 'OUTPUT',
      status: 'STORED',
      errorStatus: null,
      errorMessage: null,
      originalFileUrl: null,
      expiresAt,
    })
  }
}

/** @returns whether the record of a stored file took the outcome of its work */
export function fillFile(tables: Tables, row: CommandRow, outcome: Ending): boolean {
  const file = workedFileOf(tables, row)
  if (file === null || file.deletedAt !== null) return false
  if (file.status === 'STORED' || file.status === 'FAILED') return false
  const made = outcome.status === 'SUCCESS' ? outcome.files[0] : undefined
  file.media = made?.media ?? null
  if (outcome.status === 'FAILED' && file.status !== 'UPLOADED') {
    file.status = 'FAILED'
    file.errorStatus = fileErrorStatus(outcome.errorStatus)
    file.errorMessage = outcome.errorMessage
    return true
  }
  file.status = 'STORED'
  file.key ??= made?.key ?? null
  file.sizeBytes ??= made?.sizeBytes ?? null
  return true
}
