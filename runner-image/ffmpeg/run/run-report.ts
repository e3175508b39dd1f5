import type { Clock } from '../../../common/runtime/effects.ts'
import type { FromSupervisor, Run } from '../../link/messages.ts'
import { createLogFeed } from './log-feed.ts'
import type { LogFeed } from './log-feed.ts'
import { createProgressReader } from './progress.ts'
import type { ProgressBlock } from './progress.ts'
import { statsLine } from './stats-line.ts'

/** @param expendable may be left out while the link is congested; false from `send` says it was */
export type Send = (message: FromSupervisor, expendable: boolean) => boolean

/** Passes on what FFmpeg says during a run: its log, its progress, and of that a line in the log now and then. */
export interface RunReport {
  readonly log: LogFeed
  onProgress(chunk: Uint8Array): void
  /** Tells the reader when FFmpeg begins or ceases to make nothing. */
  setStalled(isStalled: boolean): void
  state(): RunProgress
  /** FFmpeg is gone: the log gets its last figures, if FFmpeg has not written them itself. */
  logLast(): void
}

export interface RunProgress {
  /** null: FFmpeg has reported none. */
  readonly latest: ProgressBlock | null
  /** There was a frame, a time or a byte. */
  readonly hasOutput: boolean
  /** The last block in the log; null: none is. */
  readonly logged: ProgressBlock | null
  readonly loggedMs: number
  readonly isStalled: boolean
}

const statsEveryMs = 10_000
const nothingYet: ProgressBlock = {
  outTimeUs: null,
  frame: null,
  totalBytes: null,
  speed: null,
  fps: null,
  isLast: false,
}

export function createRunReport(
  clock: Clock,
  { id, step }: Pick<Run, 'id' | 'step'>,
  send: Send,
): RunReport {
  const log = createLogFeed(clock, (lines, dropped, isLast) =>
    send({ type: 'stderr', id, step, lines, dropped }, !isLast),
  )
  const read = createProgressReader()
  let state: RunProgress = {
    latest: null,
    hasOutput: false,
    logged: null,
    loggedMs: clock.monotonicMs(),
    isStalled: false,
  }

  return {
    log,
    onProgress: (chunk) => read(chunk).forEach(report),
    setStalled(isStalled) {
      if (isStalled === state.isStalled) return
      state = { ...state, isStalled }
      report(state.latest ?? nothingYet)
    },
    state: () => state,
    logLast() {
      const { latest, logged } = state
      if (latest !== null && latest !== logged && !latest.isLast) log.write(statsLine(latest))
    },
  }

  function report(block: ProgressBlock): void {
    const { fps: _, isLast, ...figures } = block
    state = { ...state, latest: block, hasOutput: state.hasOutput || hasOutput(block) }
    send({ type: 'progress', id, step, ...figures, stalled: state.isStalled }, true)
    const nowMs = clock.monotonicMs()
    if (isLast || nowMs - state.loggedMs < statsEveryMs) return
    state = { ...state, logged: block, loggedMs: nowMs }
    log.write(statsLine(block))
  }
}

/** A command that is refused while its encoders are opened ends with a block too, of nothing. */
function hasOutput({ outTimeUs, frame, totalBytes }: ProgressBlock): boolean {
  return [outTimeUs, frame, totalBytes].some((figure) => figure !== null && figure > 0)
}
