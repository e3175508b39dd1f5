import { claimOf } from '../../../common/database/lifecycle/claim-attempt.ts'
import { lossOf } from '../../../common/database/lifecycle/loss.ts'
import { processingBytes } from '../../../common/domain/quota.ts'
import { beginAttempt } from './memory-warm-runners.ts'
import { positionOf } from '../../../common/database/lifecycle/store-progress.ts'
import type { LogChunk, Step } from '../../../common/gateway/messages.ts'
import { copyOf, changed, isCommand, isEnded, workedFileOf } from './memory-rows.ts'
import { isFinal, isForward } from '../../../common/domain/states.ts'
import { attemptPrefix } from '../../../common/domain/storage-keys.ts'
import { deliverEnd } from './deliveries/receivers.ts'
import { addOutputs, fillFile, warningsOf } from './memory-ends.ts'
import { logRowsPerStep, logTextPerStep } from '../../../common/store/logs.ts'
import { sweepBackoffSeconds, sweptAgainSeconds } from '../../../common/store/attempts.ts'
import type { Committed, OutcomeCommit } from '../../../common/store/attempts.ts'
import type { AttemptRow, CommandRow, Methods, Tables } from './memory-rows.ts'
import { reconcileRowOf } from './memory-views.ts'

/** Everything that is fenced by the attempt. */
export function memoryAttempts(tables: Tables, now: () => number) {
  const attemptRow = (commandId: string, attempt: string | null) =>
    attempt === null ? undefined : tables.attempts.get(`${commandId}/${attempt}`)
  const sweep = (commandId: string, attempt: string | null) => {
    const row = attemptRow(commandId, attempt)
    if (row !== undefined) row.sweepFrom ??= now()
  }
  const keepLogs = (commandId: string, attempt: string, logs: readonly LogChunk[]) => {
    for (const chunk of logs) {
      const key = `${commandId}/${attempt}/${chunk.step}/${chunk.sequence}`
      if (!tables.logs.has(key)) tables.logs.set(key, chunk)
    }
  }
  const hasRoom = (commandId: string, attempt: string, { step, text }: LogChunk): boolean => {
    const own = [...tables.logs].filter(([key]) =>
      key.startsWith(`${commandId}/${attempt}/${step}/`),
    )
    const bytes = own.reduce((sum, [, chunk]) => sum + Buffer.byteLength(chunk.text), 0)
    return own.length < logRowsPerStep && bytes + Buffer.byteLength(text) <= logTextPerStep
  }
  const uploadsOf = (attempt: string) =>
    [...tables.uploads.values()].filter((upload) => upload.attempt === attempt)

  const end = (row: CommandRow, commit: OutcomeCommit): void => {
    const { outcome, usage, commandId, attempt } = commit
    row.status = outcome.status
    row.stage = null
    row.errorStatus = outcome.status === 'FAILED' ? outcome.errorStatus : null
    row.errorMessage = outcome.status === 'FAILED' ? outcome.errorMessage : null
    row.warnings = warningsOf(outcome)
    row.cancelledBy ??= commit.cancelledBy ?? null
    row.finishedAt = now()
    if (outcome.status === 'SUCCESS') row.progressPercent = 100
    row.steps = commit.steps === null ? row.steps.map(endedStep) : copyOf(commit.steps)
    row.ffmpegRunSeconds = usage?.ffmpegRunSeconds ?? sumOfRuns(row.steps)
    row.processingBytes = isCommand(row) ? processingBytes(outcome, usage) : 0
    if (row.admittedAt === null) row.releasedAt = now()
    changed(row, now())
    addOutputs(tables, row, outcome)
    deliverEnd(tables, row.submission, now())
    const isUnwanted = !isCommand(row) && !fillFile(tables, row, outcome)
    const leftOpen = attempt !== null && uploadsOf(attempt).length > 0
    if (outcome.status === 'FAILED' || leftOpen || isUnwanted) sweep(commandId, attempt)
    if (attempt !== null) keepLogs(commandId, attempt, commit.logs)
  }

  return {
    claimAttempt(claim) {
      const row = tables.commands.get(claim.commandId)
      const free =
        row?.jobGeneration === claim.jobGeneration &&
        row.jobGeneration > 0 &&
        row.attempt === null &&
        !isEnded(row) &&
        !row.lostAttempts.includes(claim.podUid)
      if (free) {
        beginAttempt(tables, row, { attempt: claim.podUid }, now())
      }
      return claimOf(row === undefined ? null : reconcileRowOf(tables, row, now()), claim)
    },
    storeProgress(progress) {
      const row = tables.commands.get(progress.commandId)
      if (row === undefined) return { kind: 'superseded' }
      const { status, errorStatus } = row
      if (isFinal(status)) return { kind: 'final', status, errorStatus }
      if (row.attempt !== progress.attempt) return { kind: 'superseded' }
      if (row.steps.length !== progress.steps.length) {
        return { kind: 'other-steps', steps: row.steps.length }
      }
      const position = positionOf(progress)
      if (isForward(row, position)) {
        const percent = progress.progressPercent ?? 0
        if (percent >= (row.progressPercent ?? 0)) row.steps = copyOf(progress.steps)
        row.status = position.status
        row.stage = position.stage
        row.progressPercent = largest(row.progressPercent, progress.progressPercent)
      }
      changed(row, now())
      const { commandId, attempt } = progress
      for (const chunk of progress.logs) {
        if (hasRoom(commandId, attempt, chunk)) keepLogs(commandId, attempt, [chunk])
      }
      const file = workedFileOf(tables, row)
      const isDeleted = file !== null && file.deletedAt !== null
      const isFetched = file?.status === 'DOWNLOADING' && row.stage !== 'DOWNLOADING'
      if (isFetched && !isDeleted) file.status = 'DOWNLOADED'
      return { kind: 'stored', cancel: row.cancelRequested || isDeleted }
    },
    commitOutcome(commit): Committed {
      const row = tables.commands.get(commit.commandId)
      if (row === undefined) return { kind: 'superseded' }
      const { status, errorStatus, attempt } = row
      if (isFinal(status)) return { kind: 'final', status, errorStatus, attempt }
      const isOfGeneration =
        commit.jobGeneration === undefined || commit.jobGeneration === row.jobGeneration
      if (attempt !== commit.attempt || !isOfGeneration) return { kind: 'superseded' }
      end(row, commit)
      return { kind: 'committed' }
    },
    loseAttempt(lost) {
      const row = tables.commands.get(lost.commandId)
      const loss = row === undefined ? null : lossOf({ ...row, final: isEnded(row) }, lost)
      if (row === undefined || loss === null) return null
      sweep(lost.commandId, loss.podUid)
      row.attempt = null
      row.jobGeneration = loss.jobGeneration
      row.generationBeganAt = now()
      if (loss.podUid !== null) row.lostAttempts.push(loss.podUid)
      row.lossReasons.push(lost.reason)
      if (lost.charged) row.chargedLosses += 1
      changed(row, now())
      if (loss.end === null) return { jobGeneration: loss.jobGeneration }
      const outcome = { status: 'FAILED', ...loss.end } as const
      const { commandId } = lost
      end(row, { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] })
      return { ended: loss.end.errorStatus }
    },
    undispatch(commandId, resourceUid) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.resourceUid !== resourceUid || isEnded(row)) return
      sweep(commandId, row.attempt)
      row.dispatchedAt = row.resourceUid = row.leasedUntil = null
      row.dispatchTries = row.dispatchDefinite = 0
      row.dispatchRetryAt = row.dispatchErrorSince = null
      row.mirroredVersion = 0
      row.unmirroredSince = null
      row.version += 1
      if (row.attempt !== null) row.lostAttempts.push(row.attempt)
      row.attempt = null
      if (row.jobGeneration === 0) return
      row.jobGeneration += 1
      row.generationBeganAt = now()
    },

    recordUpload(upload) {
      if (!tables.commands.has(upload.commandId)) throw new Error('upload of no command')
      if (!tables.uploads.has(upload.uploadId)) tables.uploads.set(upload.uploadId, upload)
    },
    findUpload: (attempt, key) => uploadsOf(attempt).findLast((each) => each.key === key) ?? null,
    forgetUpload(uploadId) {
      tables.uploads.delete(uploadId)
    },
    findStoredObject(accountId, key) {
      const file = tables.files.find((each) => each.key === key && each.deletedAt === null)
      const isThere = file?.status === 'UPLOADED' || file?.status === 'STORED'
      return isThere && file.accountId === accountId
        ? { name: key.slice(key.lastIndexOf('/') + 1) }
        : null
    },
    findSweepable: ({ olderThanSeconds, limit }) =>
      [...tables.attempts.values()]
        .filter((each) => isDue(each, now(), olderThanSeconds))
        .toSorted((a, b) => dueAt(a, olderThanSeconds) - dueAt(b, olderThanSeconds))
        .slice(0, limit)
        .flatMap(({ commandId, attempt }) => {
          const row = tables.commands.get(commandId)
          if (row === undefined) return []
          const { accountId, isPrivate } = row.submission
          const visibility = isPrivate ? 'private' : 'public'
          const isDeleted = workedFileOf(tables, row)?.deletedAt instanceof Date
          const won = row.status === 'SUCCESS' && row.attempt === attempt && !isDeleted
          const prefix = won ? null : attemptPrefix({ visibility, accountId, commandId, attempt })
          return [{ commandId, accountId, attempt, prefix, uploads: uploadsOf(attempt) }]
        }),
    markSwept(commandId, attempt) {
      const row = attemptRow(commandId, attempt)
      if (row === undefined || row.sweptAt !== null) return
      const lost = tables.commands.get(commandId)?.lostAttempts.includes(attempt) === true
      if (lost && row.firstSweptAt === null) row.sweepFrom = now() + sweptAgainSeconds * 1_000
      else row.sweptAt = now()
      row.firstSweptAt ??= now()
      row.sweepRetryAt = null
      row.sweepTries = 0
      for (const upload of uploadsOf(attempt)) tables.uploads.delete(upload.uploadId)
    },
    postponeSweep(commandId, attempt) {
      const row = attemptRow(commandId, attempt)
      if (row === undefined || row.sweepFrom === null || row.sweptAt !== null) return
      const { first, longest } = sweepBackoffSeconds
      row.sweepRetryAt = now() + 1_000 * Math.min(longest, first * 2 ** row.sweepTries)
      row.sweepTries += 1
    },
    sweepBacklog({ olderThanSeconds }) {
      const unswept = [...tables.attempts.values()].filter(({ sweptAt }) => sweptAt === null)
      const due = unswept.filter(
        (each) => each.sweepRetryAt === null && isDue(each, now(), olderThanSeconds),
      )
      const failing = unswept.filter((each) => each.sweepRetryAt !== null)
      const from = [...due, ...failing].flatMap(({ sweepFrom }) => sweepFrom ?? [])
      const oldest = from.length === 0 ? 0 : (now() - Math.min(...from)) / 1_000 - olderThanSeconds
      return { due: due.length, failing: failing.length, oldestSeconds: oldest }
    },
  } satisfies Partial<Methods>
}

function isDue(row: AttemptRow, now: number, olderThanSeconds: number): boolean {
  return row.sweptAt === null && row.sweepFrom !== null && dueAt(row, olderThanSeconds) <= now
}

function dueAt(row: AttemptRow, olderThanSeconds: number): number {
  return row.sweepRetryAt ?? (row.sweepFrom ?? 0) + olderThanSeconds * 1_000
}

function endedStep(step: Step): Step {
  if (step.status === 'PROCESSING') return { ...step, status: 'FAILED' }
  return step.status === 'QUEUED' ? { ...step, status: 'SKIPPED' } : step
}

function sumOfRuns(steps: readonly Step[]): number | null {
  const runs = steps.flatMap((step) => step.ffmpeg_command_run_seconds ?? [])
  return runs.length === 0 ? null : runs.reduce((sum, seconds) => sum + seconds, 0)
}

function largest(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.max(a, b)
}
