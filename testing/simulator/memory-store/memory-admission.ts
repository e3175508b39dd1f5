import { chooseAdmitted } from '../../../common/database/lifecycle/choose-admitted.ts'
import { commandsInMean } from '../../../common/database/lifecycle/reconcile-rows.ts'
import { withinQuota } from '../../../common/database/limits/within-quota.ts'
import type { AdmittedUse, ReservingCommand } from '../../../common/database/limits/within-quota.ts'
import { startSeconds } from '../../../common/store/admission.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import { pauseOf } from './memory-accounts.ts'
import { sumReserved, usageOf } from './memory-files.ts'
import { roomOf } from '../../../common/database/lifecycle/admission-room.ts'
import type { RunningTotals } from '../../../common/database/lifecycle/admission-room.ts'
import {
  accountOf,
  changed,
  hasJob,
  inQueueOrder,
  isEnded,
  isWaiting,
  rowsOf,
  sumVcpus,
} from './memory-rows.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'

/** vCPUs of an account, given and returned. */
export function memoryAdmission(
  tables: Tables,
  now: () => number,
  commit: (commit: OutcomeCommit) => unknown,
) {
  const secondsSince = (time: number | null): number => (now() - (time ?? now())) / 1_000
  const shareOf = (accountId: string) => {
    const share = tables.shares.get(accountId) ?? {
      usedVcpuSeconds: 0,
      reason: null,
      rateVcpus: null,
      endedCommands: 0,
      meanSeconds: null,
      meanBytes: null,
      meanOutputBytes: null,
    }
    tables.shares.set(accountId, share)
    return share
  }

  const endForQuota = (commandId: string, errorMessage: string): void => {
    const outcome = { status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED', errorMessage } as const
    commit({ commandId, attempt: null, outcome, steps: null, usage: null, logs: [] })
  }

  const accountInPass = (accountId: string, rows: readonly CommandRow[], heads: number) => {
    const { name, plan, limits } = accountOf(tables, accountId)
    const {
      usedVcpuSeconds = 0,
      reason = null,
      rateVcpus = null,
    } = tables.shares.get(accountId) ?? {}
    const waiting = rows.filter((row) => !hasJob(row)).toSorted(inQueueOrder)
    const lanes = [waiting.filter((row) => !isFileWork(row)), waiting.filter(isFileWork)]
    const shown = new Set(lanes.flatMap((lane) => lane.slice(0, heads)))
    return {
      accountId,
      name,
      plan,
      limits,
      usedVcpuSeconds,
      reason,
      rateVcpus,
      pausedWhy: pauseOf(tables, 'admission', accountId)?.why ?? null,
      waiting: waiting
        .filter((row) => shown.has(row))
        .map((row) => ({
          ...facts(row),
          waitedSeconds: secondsSince(row.createdAt),
          queuedSeconds: secondsSince(row.queueKey),
        })),
      running: rows.filter(hasJob).map((row) => ({
        ...facts(row),
        runningSeconds: secondsSince(row.admittedAt),
        isEnding: row.finishedAt !== null,
        isStarting: isStarting(row),
        jobGeneration: row.jobGeneration,
        isNew: row.attempts === 0 && row.lostAttempts.length === 0,
      })),
    }
  }

  const isStarting = (row: CommandRow): boolean =>
    !isEnded(row) &&
    row.attempt === null &&
    row.generationBeganAt !== null &&
    secondsSince(row.generationBeganAt) < startSeconds

  return {
    findWaiting({ heads }) {
      const rows = rowsOf(tables).filter((row) => canBeAdmitted(row) || hasJob(row))
      return [...Map.groupBy(rows, ({ submission }) => submission.accountId)].map(
        ([accountId, own]) => accountInPass(accountId, own, heads),
      )
    },
    findSubmissions({ withinSeconds }) {
      // Ended work on files is found by its end; a restored one may have any time.
      const isRecent = (at: number): boolean => at <= now() && secondsSince(at) < withinSeconds
      const recent = rowsOf(tables).filter(
        ({ dispatchedAt, createdAt, finishedAt, submission }) =>
          dispatchedAt !== null &&
          isRecent(createdAt) &&
          (submission.commandType !== 'STORED_FILE' || finishedAt === null || isRecent(finishedAt)),
      )
      const sizeOf = ({ submission: { accountId, vcpuCount } }: CommandRow): string =>
        `${accountId} ${vcpuCount}`
      return [...Map.groupBy(recent, sizeOf).values()].flatMap((rows) => {
        const [first] = rows
        if (first === undefined) return []
        const { accountId, vcpuCount } = first.submission
        const secondsAgo = Math.min(...rows.map((row) => secondsSince(row.createdAt)))
        return { accountId, vcpuCount, secondsAgo }
      })
    },
    admit(request) {
      const { accountId, commandIds } = request
      const totals = totalsOf(rowsOf(tables).filter(hasJob), accountId)
      const waiting = rowsOf(tables)
        .filter(
          (row) =>
            row.submission.accountId === accountId &&
            canBeAdmitted(row) &&
            pauseOf(tables, 'admission', accountId) === null &&
            commandIds.includes(row.submission.commandId),
        )
        .toSorted(inQueueOrder)
      const fitting = chooseAdmitted(
        waiting.map((row) => ({ ...facts(row), waitedSeconds: secondsSince(row.createdAt) })),
        roomOf(request, totals),
      )
      const quota = withinQuota(
        fitting.flatMap((id) => tables.commands.get(id) ?? []).map(reserving),
        admittedUse(tables, accountId, now()),
        request.quota ?? { processingMbytes: null, storageMbytes: null },
      )
      for (const id of quota.ended) endForQuota(id, quota.problem ?? '')
      const chosen = [...quota.started]
      const admitted = waiting.filter((row) => chosen.includes(row.submission.commandId))
      for (const row of admitted) {
        row.admittedAt = row.generationBeganAt = now()
        row.jobGeneration = row.returnedGeneration + 1
        changed(row, now())
      }
      return {
        admitted: chosen,
        waiting: waiting.length - admitted.length - quota.ended.length,
        vcpuInUse: totals.vcpus + sumVcpus(admitted),
        ...(quota.ended.length === 0 ? {} : { ended: quota.ended }),
        ...(quota.wait === null ? {} : { quotaWait: quota.wait }),
      }
    },
    returnToQueue({ commandId, jobGeneration }) {
      const row = tables.commands.get(commandId)
      if (row?.jobGeneration !== jobGeneration || row.admittedAt === null || isEnded(row))
        return false
      if (row.attempts > 0 || row.lostAttempts.length > 0 || row.cancelRequested) return false
      row.admittedAt = row.generationBeganAt = row.startWait = null
      row.returnedGeneration = row.jobGeneration
      row.jobGeneration = 0
      changed(row, now())
      return true
    },
    recordStartWait(commandId, reason) {
      const row = tables.commands.get(commandId)
      if (row === undefined || isEnded(row) || row.startWait === reason) return
      row.startWait = reason
      changed(row, now())
    },
    recordWaits(waits) {
      for (const { accountId, reason, rateVcpus } of waits) {
        if (tables.accounts.has(accountId)) Object.assign(shareOf(accountId), { reason, rateVcpus })
      }
    },
    releaseQuota(commandId) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.releasedAt !== null || !isEnded(row)) return false
      row.releasedAt = now()
      const { accountId, vcpuCount } = row.submission
      if (row.admittedAt === null) return true
      const share = shareOf(accountId)
      const seconds = secondsSince(row.admittedAt)
      share.usedVcpuSeconds += Math.max(vcpuCount, 1) * seconds
      if (isFileWork(row)) return true
      const weighing = Math.min(share.endedCommands + 1, commandsInMean)
      const moved = (mean: number | null, value: number): number =>
        mean === null ? value : mean + (value - mean) / weighing
      share.meanSeconds = moved(share.meanSeconds, seconds)
      share.meanBytes = moved(share.meanBytes, row.processingBytes ?? 0)
      share.meanOutputBytes = moved(share.meanOutputBytes, outputBytes(tables, commandId))
      share.endedCommands += 1
      return true
    },
  } satisfies Partial<Methods>
}

function admittedUse(tables: Tables, accountId: string, nowMs: number): AdmittedUse {
  const live = rowsOf(tables).filter(
    (row) => row.submission.accountId === accountId && hasJob(row) && !isEnded(row),
  )
  return {
    ...usageOf(tables, accountId, nowMs),
    ...sumReserved(live),
    live: live.filter((row) => !isFileWork(row)).length,
  }
}

function reserving({
  submission,
  reservedBytes,
  reservedOutputBytes,
}: CommandRow): ReservingCommand {
  const { commandId, vcpuCount } = submission
  return { commandId, vcpuCount, reservedBytes, reservedOutputBytes }
}

function outputBytes({ files }: Tables, commandId: string): number {
  return files
    .filter((file) => file.commandId === commandId)
    .reduce((sum, file) => sum + (file.compressedBytes ?? file.sizeBytes ?? 0), 0)
}

function totalsOf(running: readonly CommandRow[], accountId: string): RunningTotals {
  const own = running.filter((row) => row.submission.accountId === accountId)
  const files = (rows: readonly CommandRow[]): number => rows.filter(isFileWork).length
  return {
    vcpus: sumVcpus(own),
    jobs: own.length - files(own),
    fileJobs: files(own),
    allVcpus: sumVcpus(running) + files(running),
    allJobs: running.length - files(running),
    allFileJobs: files(running),
  }
}

function facts({ submission: { commandId, vcpuCount } }: CommandRow) {
  return { commandId, vcpuCount }
}

function isFileWork(row: CommandRow): boolean {
  return row.submission.vcpuCount === 0
}

function canBeAdmitted(row: CommandRow): boolean {
  return isWaiting(row) && row.dispatchedAt !== null && !row.cancelRequested
}
