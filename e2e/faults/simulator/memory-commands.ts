import { chooseAdmitted } from '../../../common/database/reconcile/choose-admitted.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import type { RoadStore } from '../../../common/store/store.ts'
import {
  accountOf,
  hasResource,
  isCommand,
  isEnded,
  isWaiting,
  newRow,
  oldestFirst,
  reconcileRowOf,
  recordOf,
  summaryOf,
  usesVcpus,
} from './memory-rows.ts'
import type { Answer, CommandRow, Tables } from './memory-rows.ts'

type Methods = Omit<
  RoadStore,
  | 'importFile'
  | 'readUsage'
  | 'claimAttempt'
  | 'storeProgress'
  | 'commitOutcome'
  | 'loseAttempt'
  | 'undispatch'
  | 'recordUpload'
  | 'findUpload'
  | 'forgetUpload'
  | 'findStoredObject'
  | 'findSweepable'
  | 'markSwept'
  | 'readLogs'
  | 'findLogsToStore'
  | 'recordLogObject'
>

/** Accounts, submission, dispatch, admission, mirror and collection. */
export function memoryCommands(tables: Tables, now: () => number, answer: Answer): Methods {
  const rows = () => [...tables.commands.values()].toSorted(oldestFirst)
  const find = (commandId: string) => tables.commands.get(commandId)
  const changed = (row: CommandRow) => {
    row.version += 1
    row.unmirroredSince ??= now()
  }
  const insert = (command: NewCommand): CommandRow | null => {
    if (tables.commands.has(command.commandId)) return null
    accountOf(tables, command.accountId)
    const row = newRow(structuredClone(command), now())
    tables.commands.set(command.commandId, row)
    return row
  }
  const imported = (
    { resourceUid, ...command }: NewCommand & { resourceUid: string },
    refusal: string | null,
  ) => {
    const row = insert(command)
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
    return 'inserted'
  }

  return {
    ensureAccount: (account) =>
      answer('ensureAccount', () => {
        const known = [...tables.accounts.values()]
        const found =
          known.find((other) => other.name === account.name) ??
          known.find((other) => other.accountId === account.accountId)
        if (found !== undefined) return found
        const added = { ...account, suspended: false, defaultOutputTtlSeconds: null }
        tables.accounts.set(account.accountId, added)
        return added
      }),
    ensureApiKey: (key) =>
      answer('ensureApiKey', () => {
        accountOf(tables, key.accountId)
        const hash = Buffer.from(key.sha256).toString('hex')
        if (!tables.keys.has(hash)) tables.keys.set(hash, key)
      }),
    findKey: (sha256) =>
      answer('findKey', () => {
        const key = tables.keys.get(Buffer.from(sha256).toString('hex'))
        if (key === undefined) return null
        const { environmentName } = key
        return { account: accountOf(tables, key.accountId), environmentName }
      }),
    findAccountByName: (name) =>
      answer(
        'findAccountByName',
        () => [...tables.accounts.values()].find((account) => account.name === name) ?? null,
      ),

    insertCommands: (commands) =>
      answer('insertCommands', () => {
        for (const command of commands) accountOf(tables, command.accountId)
        for (const command of commands) insert(command)
      }),
    findCommand: (accountId, commandId) =>
      answer('findCommand', () => {
        const row = find(commandId)
        if (row === undefined || !isCommand(row)) return null
        return row.submission.accountId === accountId ? recordOf(tables, row) : null
      }),
    listCommands: ({ accountId, status, limit, offset }) =>
      answer('listCommands', () =>
        rows()
          .toReversed()
          .filter((row) => row.submission.accountId === accountId && isCommand(row))
          .filter((row) => status === null || row.status === status)
          .slice(offset, offset + limit)
          .map((row) => summaryOf(tables, row)),
      ),

    claimUndispatched: ({ limit, liveLimit, leaseSeconds }) =>
      answer('claimUndispatched', () => {
        const room = Math.max(0, Math.min(limit, liveLimit - rows().filter(hasResource).length))
        return rows()
          .filter((row) => row.dispatchedAt === null && row.finishedAt === null)
          .filter((row) => row.leasedUntil === null || row.leasedUntil <= now())
          .slice(0, room)
          .map((row) => {
            row.leasedUntil = now() + leaseSeconds * 1_000
            const accountName = accountOf(tables, row.submission.accountId).name
            return { ...row.submission, accountName, round: row.round }
          })
      }),
    markDispatched: (commandId, resourceUid) =>
      answer('markDispatched', () => {
        const row = find(commandId)
        if (row === undefined || row.dispatchedAt !== null) return
        row.dispatchedAt = row.unmirroredSince = now()
        row.resourceUid = resourceUid
        row.resourceDeletedAt = row.leasedUntil = null
      }),

    findForReconcile: (commandId) =>
      answer('findForReconcile', () => {
        const row = find(commandId)
        return row === undefined ? null : reconcileRowOf(tables, row, now())
      }),
    importCommand: (command) => answer('importCommand', () => imported(command, null)),
    importRefused: ({ errorMessage, ...command }) =>
      answer('importRefused', () => imported(command, errorMessage)),
    accountsWaiting: (limit) =>
      answer('accountsWaiting', () => {
        // Rows come oldest first, so the first of an account is the one that counts.
        const oldest = new Map<string, number>()
        for (const { submission, createdAt } of rows().filter(canBeAdmitted)) {
          if (!oldest.has(submission.accountId)) oldest.set(submission.accountId, createdAt)
        }
        return [...oldest]
          .toSorted(([a, since], [b, other]) => since - other || (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([accountId]) => accountOf(tables, accountId))
      }),
    admit: ({ accountId, liveJobLimit, ...limits }) =>
      answer('admit', () => {
        const using = rows().filter(usesVcpus)
        const vcpuInUse = sumVcpus(using.filter((row) => row.submission.accountId === accountId))
        const waiting = rows().filter(
          (row) => row.submission.accountId === accountId && canBeAdmitted(row),
        )
        const jobs = Math.max(0, liveJobLimit - using.length)
        const chosen = chooseAdmitted(
          waiting.map((row) => ({
            commandId: row.submission.commandId,
            vcpuCount: row.submission.vcpuCount,
            waitedSeconds: (now() - row.createdAt) / 1_000,
          })),
          { ...limits, vcpuInUse, jobs },
        )
        const admitted = waiting.filter((row) => chosen.includes(row.submission.commandId))
        for (const row of admitted) {
          row.admittedAt = row.roundBeganAt = now()
          row.round = 1
          changed(row)
        }
        return {
          admitted: chosen,
          waiting: waiting.length - admitted.length,
          vcpuInUse: vcpuInUse + sumVcpus(admitted),
        }
      }),
    releaseQuota: (commandId) =>
      answer('releaseQuota', () => {
        const row = find(commandId)
        if (row === undefined || row.releasedAt !== null || !isEnded(row)) return false
        row.releasedAt = now()
        return true
      }),
    findUnmirrored: (limit) =>
      answer('findUnmirrored', () =>
        rows()
          .filter((row) => row.unmirroredSince !== null && hasResource(row))
          .toSorted((a, b) => Number(isEnded(b)) - Number(isEnded(a)) || age(a) - age(b))
          .slice(0, limit)
          .map((row) => ({
            commandId: row.submission.commandId,
            version: row.version,
            final: isEnded(row),
          })),
      ),
    markMirrored: (commandId, version) =>
      answer('markMirrored', () => {
        const row = find(commandId)
        if (row === undefined || row.mirroredAt !== null) return
        if (row.mirroredVersion >= version && row.unmirroredSince === null) return
        row.mirroredVersion = Math.max(row.mirroredVersion, Math.min(version, row.version))
        if (version < row.version) return
        row.unmirroredSince = null
        if (isEnded(row)) row.mirroredAt = now()
      }),
    findCollectable: ({ olderThanSeconds, keepNewest, keepSeconds, limit }) =>
      answer('findCollectable', () => {
        const mirroredAt = (row: CommandRow) => row.mirroredAt ?? Infinity
        return rows()
          .filter((row) => hasResource(row) && row.mirroredAt !== null && row.releasedAt !== null)
          .toSorted((a, b) => mirroredAt(b) - mirroredAt(a) || (id(a) < id(b) ? 1 : -1))
          .filter(
            (row, newer) =>
              mirroredAt(row) <= now() - olderThanSeconds * 1_000 &&
              (newer >= keepNewest || mirroredAt(row) <= now() - keepSeconds * 1_000),
          )
          .toReversed()
          .slice(0, limit)
          .map(id)
      }),
    markResourceDeleted: (commandId) =>
      answer('markResourceDeleted', () => {
        const row = find(commandId)
        if (row === undefined || !isEnded(row) || row.resourceDeletedAt !== null) return
        row.resourceDeletedAt = now()
        row.unmirroredSince = null
      }),
    findUnsettled: ({ afterCommandId, limit }) =>
      answer('findUnsettled', () =>
        rows()
          .filter((row) => (isEnded(row) ? usesVcpus(row) : hasResource(row)))
          .map(id)
          .filter((commandId) => afterCommandId === null || commandId > afterCommandId)
          .toSorted()
          .slice(0, limit),
      ),
    requestCancel: (commandId) =>
      answer('requestCancel', () => {
        const row = find(commandId)
        if (row === undefined || row.cancelRequested || isEnded(row)) return
        row.cancelRequested = true
        changed(row)
      }),

    ping: () => answer('ping', () => undefined),
    gauges: () =>
      answer('gauges', () => {
        const live = rows().filter((row) => !isEnded(row))
        const oldest = (times: number[]) =>
          times.length === 0 ? 0 : (now() - Math.min(...times)) / 1_000
        const waiting = live.filter(isWaiting)
        const behind = rows()
          .filter(hasResource)
          .flatMap((row) => row.unmirroredSince ?? [])
        const undispatched = live.filter((row) => row.dispatchedAt === null)
        return {
          byStatus: Object.fromEntries(
            [...Map.groupBy(live.filter(isCommand), (row) => row.status)].map(([status, of]) => [
              status,
              of.length,
            ]),
          ),
          oldestQueuedSeconds: oldest(waiting.filter(isCommand).map((row) => row.createdAt)),
          queuedVcpus: sumVcpus(waiting),
          ledgerVcpus: sumVcpus(rows().filter(usesVcpus)),
          unmirroredSeconds: oldest(behind),
          undispatchedSeconds: oldest(undispatched.map((row) => row.createdAt)),
        }
      }),
  }
}

function canBeAdmitted(row: CommandRow): boolean {
  return isWaiting(row) && row.dispatchedAt !== null && !row.cancelRequested
}

function sumVcpus(rows: readonly CommandRow[]): number {
  return rows.reduce((sum, row) => sum + row.submission.vcpuCount, 0)
}

function id(row: CommandRow): string {
  return row.submission.commandId
}

function age(row: CommandRow): number {
  return row.unmirroredSince ?? Infinity
}
