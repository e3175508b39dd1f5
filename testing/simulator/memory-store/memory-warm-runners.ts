import { queuedSteps } from '../../../common/database/commands/insert-commands.ts'
import type { Bound } from '../../../common/store/warm-runners.ts'
import { accountOf, changed, isEnded, workedFileOf } from './memory-rows.ts'
import { reconcileRowOf } from './memory-views.ts'
import type { AttemptRow, CommandRow, Methods, Tables } from './memory-rows.ts'

/** Attempts of pods that waited for a command. */
export function memoryWarmRunners(tables: Tables, now: () => number, reusesWarmRunners = false) {
  const warmRunners = () =>
    [...tables.attempts.values()].filter((each) => each.warmRunnerJob !== null)
  return {
    bindWarmRunner({ commandId, podUid, warmRunnerJob, waitedSeconds }): Bound {
      const row = tables.commands.get(commandId)
      if (row === undefined) return { kind: 'not-waiting' }
      if (waitsForFirst(row)) {
        const isUsed = ({ attempt, warmRunnerJob: job }: AttemptRow) =>
          attempt === podUid || job === warmRunnerJob
        if (!reusesWarmRunners && warmRunners().some(isUsed)) return { kind: 'taken' }
        beginAttempt(tables, row, { attempt: podUid, warmRunnerJob, waitedSeconds }, now())
      }
      if (row.attempt !== podUid) return { kind: 'not-waiting' }
      return { kind: 'bound', row: reconcileRowOf(tables, row, now()) }
    },
    findBound(podUid) {
      const bound = warmRunners().find(({ attempt }) => attempt === podUid)
      return bound === undefined
        ? null
        : { commandId: bound.commandId, jobGeneration: bound.jobGeneration }
    },
    boundWarmRunners: (jobNames) =>
      warmRunners()
        .flatMap(({ warmRunnerJob, attempt: podUid, commandId }) => {
          const row = tables.commands.get(commandId)
          if (row === undefined || warmRunnerJob === null || !jobNames.includes(warmRunnerJob))
            return []
          return {
            warmRunnerJob,
            podUid,
            commandId,
            isLive: row.attempt === podUid && !isEnded(row),
          }
        })
        .toSorted((a, b) => (a.warmRunnerJob < b.warmRunnerJob ? -1 : 1)),
    warmRunnerDemand({ vcpuCount, coldPlans }) {
      const secondsAgo = [...tables.attempts.values()]
        .filter(({ commandId, jobGeneration }) => {
          const submission = tables.commands.get(commandId)?.submission
          if (submission === undefined || jobGeneration !== 1) return false
          const { plan } = accountOf(tables, submission.accountId)
          return submission.vcpuCount <= vcpuCount && !coldPlans.includes(plan)
        })
        .map(({ claimedAt }) => (now() - claimedAt) / 1_000)
      const counted = secondsAgo.filter((seconds) => seconds < 600)
      const within5 = (last: number) =>
        counted.filter((seconds) => seconds >= last && seconds <= last + 5).length
      const newest = Math.min(...secondsAgo)
      return {
        most: Math.max(0, ...counted.map(within5)),
        idleSeconds: newest < 3_600 ? newest : null,
      }
    },
  } satisfies Partial<Methods>
}

function waitsForFirst(row: CommandRow): boolean {
  const isHeld = row.attempt !== null || row.lostAttempts.length > 0
  return row.jobGeneration === 1 && !isHeld && !isEnded(row) && !row.cancelRequested
}

/** Gives the row to an attempt. */
export function beginAttempt(
  tables: Tables,
  row: CommandRow,
  attempt: Pick<AttemptRow, 'attempt'> & Partial<AttemptRow>,
  now: number,
): void {
  row.attempt = attempt.attempt
  row.attempts += 1
  row.status = 'PROCESSING'
  row.stage = 'DOWNLOADING'
  row.progressPercent = null
  row.steps = queuedSteps(row.submission.source.commands.length)
  row.startedAt ??= now
  changed(row, now)
  const file = workedFileOf(tables, row)
  const fetches = file?.status === 'QUEUED' || file?.status === 'DOWNLOADED'
  if (fetches && file.deletedAt === null) file.status = 'DOWNLOADING'
  const key = `${row.submission.commandId}/${attempt.attempt}`
  tables.attempts.set(key, { ...newAttempt(row, attempt.attempt, now), ...attempt })
}

export function newAttempt(row: CommandRow, attempt: string, now: number): AttemptRow {
  const { commandId } = row.submission
  return {
    commandId,
    attempt,
    jobGeneration: row.jobGeneration,
    claimedAt: now,
    warmRunnerJob: null,
    waitedSeconds: null,
    sweepFrom: null,
    sweptAt: null,
    firstSweptAt: null,
    sweepTries: 0,
    sweepRetryAt: null,
  }
}
