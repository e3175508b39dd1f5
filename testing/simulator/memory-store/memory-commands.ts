import { deliverEnd } from './deliveries/receivers.ts'
import { reservationOf } from '../../../common/domain/quota.ts'
import type { CommandKey, CommandRecord, NewCommand } from '../../../common/store/commands.ts'
import type { ImportedRow } from '../../../common/store/reconcile.ts'
import { copyOf, accountOf, changed, isCommand, isEnded, newRow, rowsOf } from './memory-rows.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'
import { recordOf, summaryOf } from './memory-views.ts'

/** Submission, import, dispatch, and what users read and wish. */
export function memoryCommands(tables: Tables, now: () => number, priorityAgeSeconds: number) {
  const insert = (command: NewCommand, createdAt = now()): CommandRow | null => {
    if (tables.commands.has(command.commandId)) return null
    accountOf(tables, command.accountId)
    const { mostReservedBytes = null, submittedKeyId = null, ...submission } = copyOf(command)
    const row = newRow(submission, createdAt, priorityAgeSeconds)
    row.submittedKeyId = submittedKeyId
    const share = tables.shares.get(command.accountId)
    row.reservedBytes = reservationOf(share?.meanBytes ?? null, mostReservedBytes)
    row.reservedOutputBytes = reservationOf(share?.meanOutputBytes ?? null, mostReservedBytes)
    tables.commands.set(command.commandId, row)
    return row
  }
  const find = ({ accountId, commandId }: CommandKey): CommandRecord[] => {
    const row = tables.commands.get(commandId)
    if (row === undefined || !isCommand(row)) return []
    return row.submission.accountId === accountId ? [recordOf(tables, row, now())] : []
  }
  const imported = (
    { resourceUid, submittedAt, ...command }: ImportedRow,
    refusal: string | null,
  ) => {
    const row = insert(command, submittedAt === undefined ? now() : Date.parse(submittedAt))
    if (row === null) return 'exists'
    row.dispatchedAt = row.unmirroredSince = now()
    row.resourceUid = resourceUid
    if (refusal === null) return 'inserted'
    row.status = 'FAILED'
    row.errorStatus = 'INVALID_COMMAND'
    row.errorMessage = refusal
    row.finishedAt = row.releasedAt = now()
    row.processingBytes = 0
    row.steps = row.steps.map((step) => ({ ...step, status: 'SKIPPED' }))
    deliverEnd(tables, row.submission, now())
    return 'inserted'
  }

  return {
    insertCommands(commands) {
      for (const command of commands) accountOf(tables, command.accountId)
      for (const command of commands) insert(command)
    },
    findCommand: (accountId, commandId) => find({ accountId, commandId })[0] ?? null,
    listCommands: ({ accountId, status, limit, offset }) =>
      rowsOf(tables)
        .toReversed()
        .filter((row) => row.submission.accountId === accountId && isCommand(row))
        .filter((row) => status === null || row.status === status)
        .slice(offset, offset + limit)
        .map((row) => summaryOf(tables, row, now())),

    importCommand: (command) => imported(command, null),
    importRefused: ({ errorMessage, ...command }) => imported(command, errorMessage),
    requestCancel(commandId, cancelledBy) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.cancelRequested || isEnded(row)) return
      row.cancelRequested = true
      row.cancelledBy = cancelledBy
      changed(row, now())
    },
  } satisfies Partial<Methods>
}
