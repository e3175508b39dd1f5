import { chooseAdmitted } from '../../../common/database/lifecycle/choose-admitted.ts'
import {
  accountOf,
  changed,
  isEnded,
  isWaiting,
  rowsOf,
  sumVcpus,
  usesVcpus,
} from './memory-rows.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'

/** What an account's vCPUs are given to, and given back by. */
export function memoryAdmission(tables: Tables, now: () => number) {
  return {
    accountsWaiting(limit) {
      // Rows come oldest first, so the first of an account is the one that counts.
      const oldest = new Map<string, number>()
      for (const { submission, createdAt } of rowsOf(tables).filter(canBeAdmitted)) {
        if (!oldest.has(submission.accountId)) oldest.set(submission.accountId, createdAt)
      }
      return [...oldest]
        .toSorted(([a, since], [b, other]) => since - other || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([accountId]) => accountOf(tables, accountId))
    },
    admit({ accountId, liveJobLimit, ...limits }) {
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
    },
    releaseQuota(commandId) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.releasedAt !== null || !isEnded(row)) return false
      row.releasedAt = now()
      return true
    },
  } satisfies Partial<Methods>
}

function canBeAdmitted(row: CommandRow): boolean {
  return isWaiting(row) && row.dispatchedAt !== null && !row.cancelRequested
}
