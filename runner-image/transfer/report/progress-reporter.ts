import type { Clock } from '../../../common/runtime/effects.ts'
import type { LogChunk, ProgressReport } from '../../../common/gateway/messages.ts'
import type { Attempt } from './attempt.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { StepLogs } from './step-logs.ts'

export interface ProgressReporter {
  /** Requests a report at once, if a second has passed since the last one. */
  notify(): void
  /** A report in flight is not awaited: the gateway accepts none after the result. */
  stop(): void
}

export interface ReporterDependencies {
  readonly gateway: Pick<Gateway, 'progress'>
  readonly attempt: Attempt
  readonly logs: StepLogs
  readonly clock: Clock
  readonly onCancel: () => void
  /** The gateway's answer ends the attempt: another one holds the command, or it is final. */
  readonly onEnded: (error: unknown) => void
}

export const reportEveryMs = 1_000
/** Log lines cost the gateway a database row each time. */
export const logsEveryMs = 2_000
/** Sent without changes too: it shows that the runner lives, and the answer may be a cancel. */
export const silentMs = 5_000
const logChunks = 8

/** The gateway takes 1.25 MiB, and one chunk has 128 Ki characters of at most six bytes as JSON. */
const largestReportBytes = 1_048_576

/** The first chunk, and those after it that fit into one report. */
function fitting(chunks: readonly LogChunk[]): LogChunk[] {
  let bytes = 0
  return chunks.filter((chunk, index) => {
    bytes += Buffer.byteLength(JSON.stringify(chunk))
    return index === 0 || bytes <= largestReportBytes
  })
}

export function startReporting(deps: ReporterDependencies): ProgressReporter {
  const { gateway, attempt, logs, clock } = deps
  // The assignment: changes since then reach a short command's record by its result.
  let sentAt = clock.monotonicMs()
  let logsAt = -Infinity
  let sentReport = JSON.stringify(attempt.progress())
  let underWay = false
  let stopped = false
  let cancelTick = clock.schedule(reportEveryMs, tick)

  function tick(): void {
    cancelTick = clock.schedule(reportEveryMs, tick)
    if (!underWay && isDue()) send()
  }

  function isDue(): boolean {
    const now = clock.monotonicMs()
    if (now - sentAt >= silentMs) return true
    return JSON.stringify(attempt.progress()) !== sentReport || logsDue(now)
  }

  function logsDue(now: number): boolean {
    return now - logsAt >= logsEveryMs && logs.pending(1).length > 0
  }

  function send(): void {
    const now = clock.monotonicMs()
    const chunks = logsDue(now) ? fitting(logs.pending(logChunks)) : []
    const progress = attempt.progress()
    sentAt = now
    if (chunks.length > 0) logsAt = now
    underWay = true
    void deliver({ ...progress, logs: chunks }, JSON.stringify(progress)).finally(() => {
      underWay = false
    })
  }

  async function deliver(report: ProgressReport, asText: string): Promise<void> {
    try {
      const answer = await gateway.progress(report)
      if (answer === null) return
      logs.sent(report.logs)
      sentReport = asText
      if (answer.cancel && !stopped) deps.onCancel()
    } catch (error) {
      if (!stopped) deps.onEnded(error)
    }
  }

  return {
    notify() {
      if (!stopped && !underWay && clock.monotonicMs() - sentAt >= reportEveryMs) send()
    },
    stop() {
      stopped = true
      cancelTick()
    },
  }
}
