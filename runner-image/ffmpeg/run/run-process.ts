import { resolve } from 'node:path'
import type { Clock, Failpoint } from '../../../common/runtime/effects.ts'
import type { EndReason, Run } from '../../link/messages.ts'
import { startFenced } from '../sandbox/fenced-process.ts'
import type { FencedProcess, ProcessEnd } from '../sandbox/fenced-process.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { openLogFile } from './log-file.ts'
import type { LogFile } from './log-file.ts'
import { asError } from './run-end.ts'
import type { RunReport } from './run-report.ts'

export interface RunProcessDeps {
  readonly clock: Clock
  readonly failpoint: Failpoint
  readonly sandbox: Sandbox
  /** FFmpeg has been started; the run may still fail. */
  readonly onSpawned: () => void
}

/** FFmpeg of one run, in its sandbox, and the reason for which it was ended. */
export interface RunProcess {
  /** Starts it, and resolves when it is gone; never rejects. */
  run(): Promise<{ readonly process: ProcessEnd; readonly seconds: number }>
  /** The first reason counts. A cap leaves FFmpeg 5 s to end by itself, other reasons none. */
  end(reason: EndReason): void
  /** null: it was not ended. */
  reason(): EndReason | null
}

const killAfterMs = 5000

export function createRunProcess(
  { clock, failpoint, sandbox, onSpawned }: RunProcessDeps,
  { argv, log, limits }: Run,
  report: RunReport,
): RunProcess {
  const { fileBytes } = limits
  const timers: (() => void)[] = []
  let reason: EndReason | null = null
  let fenced: FencedProcess | null = null
  let logFile: LogFile | null = null
  return { run, end, reason: () => reason }

  async function run(): ReturnType<RunProcess['run']> {
    let startedMs = clock.monotonicMs()
    let process: ProcessEnd = { code: null, signal: null, failure: null }
    if (reason === null) {
      try {
        const running = await failpoint('supervisor.spawned', async () => {
          startedMs = clock.monotonicMs()
          return start()
        })
        onSpawned()
        process = await running.ended
      } catch (error) {
        // A program that cannot be started at all comes here too: E2BIG is thrown, not emitted as an event.
        process = { code: null, signal: null, failure: asError(error) }
      }
    }
    const seconds = (clock.monotonicMs() - startedMs) / 1000
    logFile?.end()
    timers.forEach((cancel) => cancel())
    return { process, seconds }
  }

  function start(): FencedProcess {
    const { work } = sandbox.folders
    logFile = log && openLogFile(resolve(work, log.path), log, fileBytes, end)
    fenced = startFenced(
      clock,
      sandbox,
      { program: 'ffmpeg', argv, fileBytes },
      {
        onStderr(chunk) {
          report.log.push(chunk)
          logFile?.push(chunk)
        },
        onProgress: (chunk) => report.onProgress(chunk),
      },
    )
    timers.push(clock.schedule(limits.seconds * 1000, () => end('timeout')))
    // A kill that came while the failpoint delayed the spawn.
    if (reason !== null) fenced.signal('SIGKILL')
    return fenced
  }

  function end(why: EndReason): void {
    if (reason !== null) return
    reason = why
    if (why !== 'timeout') return fenced?.signal('SIGKILL')
    fenced?.signal('SIGTERM')
    // Some filters never check for the signal.
    timers.push(clock.schedule(killAfterMs, () => fenced?.signal('SIGKILL')))
  }
}
