import type { Restored, ShownOutcome } from '../../../common/store/attempts.ts'
import { deliverEnd } from './deliveries/receivers.ts'
import { addOutputs, fillFile, warningsOf } from './memory-ends.ts'
import { changed, copyOf, isCommand, isEnded } from './memory-rows.ts'
import { newAttempt } from './memory-warm-runners.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'

/** Ends that are kept outside of the database, and their restoration. */
export function memoryResults(tables: Tables, now: () => number, current: () => string) {
  return {
    findResult(commandId) {
      const row = tables.commands.get(commandId)
      if (row?.status !== 'SUCCESS' || row.attempt === null) return null
      const { submission, attempt, jobGeneration, attempts, steps, ffmpegRunSeconds, warnings } =
        row
      const files = tables.files
        .filter((file) => file.commandId === commandId || file.fileId === commandId)
        .flatMap((file) => {
          const { fileId, alias, key, sizeBytes, compressedBytes, fileCount, media } = file
          if (key === null || sizeBytes === null || media === null) return []
          const sizes = { sizeBytes, compressedBytes, fileCount }
          return [{ fileId, key, media, ...sizes, alias: alias ?? '' }]
        })
      return {
        commandId,
        submission,
        attempt,
        round: jobGeneration,
        attempts,
        steps,
        ffmpegRunSeconds,
        files,
        warnings,
        processingBytes: row.processingBytes ?? 0,
        createdAt: new Date(row.createdAt).toISOString(),
        startedAt: row.startedAt === null ? null : new Date(row.startedAt).toISOString(),
        finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
      }
    },
    restoreOutcome(shown): Restored {
      const row = tables.commands.get(shown.commandId)
      if (row === undefined) return 'absent'
      if (isEnded(row)) return 'final'
      const own = tables.attempts.get(`${shown.commandId}/${shown.attempt}`)
      if (
        shown.outcome.status === 'SUCCESS' &&
        typeof (own?.firstSweptAt ?? own?.sweptAt) === 'number'
      )
        return 'swept'
      restore(tables, row, shown, now())
      return 'restored'
    },
    readHistory: () => ({
      current: current(),
      compared: tables.history.get('compared') ?? null,
    }),
    recordCompared(history) {
      tables.history.set('compared', history)
    },
  } satisfies Partial<Methods>
}

function restore(tables: Tables, row: CommandRow, shown: ShownOutcome, now: number): void {
  const { commandId, attempt, outcome } = shown
  row.status = outcome.status
  row.stage = null
  row.errorStatus = outcome.status === 'FAILED' ? outcome.errorStatus : null
  row.errorMessage = outcome.status === 'FAILED' ? outcome.errorMessage : null
  row.warnings = warningsOf(outcome)
  row.finishedAt = timeOf(shown.finishedAt) ?? now
  if (outcome.status === 'SUCCESS') row.progressPercent = 100
  row.steps = copyOf(shown.steps)
  row.ffmpegRunSeconds = shown.ffmpegRunSeconds
  row.processingBytes = isCommand(row) ? shown.processingBytes : 0
  row.attempt = attempt
  if (attempt === null) {
    if (row.admittedAt === null) row.releasedAt = now
  } else {
    row.attempts = Math.max(row.attempts, shown.attempts, 1)
    row.lostAttempts = row.lostAttempts.filter((lost) => lost !== attempt)
    row.jobGeneration = Math.max(row.jobGeneration, shown.jobGeneration, 1)
    row.admittedAt ??= now
    row.generationBeganAt ??= now
    row.startedAt = timeOf(shown.startedAt) ?? row.startedAt ?? now
  }
  changed(row, now)
  addOutputs(tables, row, outcome)
  deliverEnd(tables, row.submission, now)
  const isUnwanted = !isCommand(row) && !fillFile(tables, row, outcome)
  const others = [...tables.attempts.values()].filter((each) => each.commandId === commandId)
  for (const other of others) if (other.attempt !== attempt) other.sweepFrom ??= now
  if (attempt === null) return
  const leftOpen = [...tables.uploads.values()].some((upload) => upload.attempt === attempt)
  const isSwept = outcome.status === 'FAILED' || leftOpen || isUnwanted
  const before = tables.attempts.get(`${commandId}/${attempt}`)
  const sweepFrom = isSwept ? now : null
  const known = before ?? newAttempt(row, attempt, now)
  const own = { ...known, sweepFrom, sweepTries: 0, sweepRetryAt: null }
  tables.attempts.set(`${commandId}/${attempt}`, own)
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
