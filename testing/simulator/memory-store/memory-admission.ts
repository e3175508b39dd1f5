import { chooseAdmitted } from '../../../common/database/lifecycle/choose-admitted.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import {
  accountOf,
  changed,
  isEnded,
  isWaiting,
  rowsOf,
  sumVcpus,
  usesVcpus,
} from './memory-rows.ts'
import type { Answer, CommandRow, Tables } from './memory-rows.ts'

type Methods = Pick<LifecycleStore, 'accountsWaiting' | 'admit' | 'releaseQuota'>

/** What an account's vCPUs are given to, and given back by. */
export function memoryAdmission(tables: Tables, now: () => number, answer: Answer): Methods {
  return {
    accountsWaiting: (limit) =>
      answer('accountsWaiting', () => {
        // Rows come oldest first, so the first of an account is the one that counts.
        const oldest = new Map<string, number>()
        for (const { submission, createdAt } of rowsOf(tables).filter(canBeAdmitted)) {
          if (!oldest.has(submission.accountId)) oldest.set(submission.accountId, createdAt)
        }
        return [...oldest]
          .toSorted(([a, since], [b, other]) => since - other || (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([accountId]) => accountOf(tables, accountId))
      }),
    admit: ({ accountId, liveJobLimit, ...limits }) =>
      answer('admit', () => {
        const using = rowsOf(tables).filter(usesVcpus)
        const vcpuInUse = sumVcpus(using.filter((row) => row.submission.accountId === accountId))
        const waiting = rowsOf(tables).filter(
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
          changed(row, now())
        }
        return {
          admitted: chosen,
          waiting: waiting.length - admitted.length,
          vcpuInUse: vcpuInUse + sumVcpus(admitted),
        }
      }),
    releaseQuota: (commandId) =>
      answer('releaseQuota', () => {
        const row = tables.commands.get(commandId)
        if (row === undefined || row.releasedAt !== null || !isEnded(row)) return false
        row.releasedAt = now()
        return true
      }),
  }
}

function canBeAdmitted(row: CommandRow): boolean {
  return isWaiting(row) && row.dispatchedAt !== null && !row.cancelRequested
}
