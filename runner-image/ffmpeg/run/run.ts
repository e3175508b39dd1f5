import { resolve } from 'node:path'
import type { Clock, Failpoint } from '../../../common/runtime/effects.ts'
import type { EndReason, Exited, FromSupervisor, Run } from '../../link/messages.ts'
import { startFenced } from '../sandbox/fenced-process.ts'
import type { FencedProcess, ProcessEnd } from '../sandbox/fenced-process.ts'
import { folderUse, isDiskFull } from './folder-use.ts'
import type { FolderUse } from './folder-use.ts'
import { createLogFeed } from './log-feed.ts'
import type { LogFeed } from './log-feed.ts'
import { openLogFile } from './log-file.ts'
import type { LogFile } from './log-file.ts'
import type { MemoryGroup, PidsGroup } from '../sandbox/control-group.ts'
import { createProgressReader } from './progress.ts'
import type { ProgressBlock } from './progress.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { statsLine } from './stats-line.ts'
import { brokenLimit, createStallDetector } from './watchdog.ts'

export interface RunDeps {
  readonly clock: Clock
  readonly failpoint: Failpoint
  readonly sandbox: Sandbox
  readonly memory: MemoryGroup
  readonly pids: PidsGroup
  /** @param expendable may be left out while the link is congested; false from `send` says it was */
  readonly send: (message: FromSupervisor, expendable: boolean) => boolean
  /** FFmpeg has been started; the run may still fail. */
  readonly onSpawned: () => void
}

export interface RunningCommand {
  /** The first reason counts. A cap leaves FFmpeg 5 s to end by itself, other reasons none. */
  end(reason: EndReason): void
  /** Resolves when `exited` has been sent, with that. */
  readonly ended: Promise<Exited>
}

export function startRun(deps: RunDeps, run: Run): RunningCommand {
  const { clock, failpoint, sandbox, memory, pids, send, onSpawned } = deps
  const { id, step, limits } = run
  const log = createLogFeed(clock, (lines, dropped, isLast) =>
    send({ type: 'stderr', id, step, lines, dropped }, !isLast),
  )
  const isStalled = createStallDetector()
  const timers = new Set<() => void>()
  let latest: ProgressBlock | null = null
  let progressed = false
  let logged: ProgressBlock | null = null
  let reportedMs = clock.monotonicMs()
  let stalled = false
  let isOver = false
  let watching = Promise.resolve()
  let reason: EndReason | null = null
  let fenced: FencedProcess | null = null
  let logFile: LogFile | null = null

  return { end, ended: follow() }

  async function follow(): Promise<Exited> {
    const isKilledForMemory = grown(() => memory.oomKills())
    const isRefusedThread = grown(() => pids.refusals())
    let startedMs = clock.monotonicMs()
    let result: ProcessEnd = { code: null, signal: null, failure: null }
    if (reason === null) {
      try {
        const running = await failpoint('supervisor.spawned', async () => {
          startedMs = clock.monotonicMs()
          return start()
        })
        onSpawned()
        result = await running.ended
      } catch (error) {
        // also if a program cannot be started at all: E2BIG is thrown, not emitted as an event
        result = { code: null, signal: null, failure: asError(error) }
      }
    }
    const seconds = (clock.monotonicMs() - startedMs) / 1000
    logFile?.end()
    isOver = true
    timers.forEach((cancel) => cancel())
    if (latest !== null && latest !== logged && !latest.isLast) log.write(statsLine(latest))
    // otherwise it would report this run after its end
    await watching
    if (result.code === 0) await checkLimits()
    else if (result.code !== null && (await hasFilledDisk())) reason ??= 'free_space'
    log.end()
    const threadRefused = isRefusedThread() || isWithoutRoom(result.failure)
    const kernel = { oom: isKilledForMemory(), threadRefused }
    return await failpoint('supervisor.exited', async () => {
      const message = exited(result, seconds, kernel)
      send(message, false)
      return message
    })
  }

  /**
   * Checks also after FFmpeg has succeeded: in the two seconds between checks it can write 10,000
   * files, which would all be stored.
   */
  async function checkLimits(): Promise<FolderUse | null> {
    try {
      const use = await folderUse(sandbox.folders.work, limits.fileCount)
      const inputs = await folderUse(sandbox.folders.inputs, limits.fileCount)
      const broken = brokenLimit({ ...use, bytes: use.bytes + inputs.bytes }, limits)
      // After success the free space does not matter: there was room for all that FFmpeg wrote.
      const isSettled = isOver && broken === 'free_space'
      if (broken !== null && !isSettled) end(broken)
      return use
    } catch (error) {
      log.note(`the working folder could not be measured: ${asError(error).message}`)
      end('unmeasured')
      return null
    }
  }

  /** FFmpeg does not always report it: its muxers report any file that they cannot open as EIO. */
  async function hasFilledDisk(): Promise<boolean> {
    try {
      return await isDiskFull(sandbox.folders.work)
    } catch (error) {
      log.note(`the working folder could not be measured: ${asError(error).message}`)
      return false
    }
  }

  function start(): FencedProcess {
    const readProgress = createProgressReader()
    const { work } = sandbox.folders
    logFile = run.log && openLogFile(resolve(work, run.log.path), run.log, limits.fileBytes, end)
    fenced = startFenced(
      clock,
      sandbox,
      { program: 'ffmpeg', argv: run.argv, fileBytes: limits.fileBytes },
      {
        onStderr(chunk) {
          log.push(chunk)
          logFile?.push(chunk)
        },
        onProgress: (chunk) => readProgress(chunk).forEach(report),
      },
    )
    after(limits.seconds * 1000, () => end('timeout'))
    watchAgain()
    // a kill that came while the failpoint delayed the spawn
    if (reason !== null) fenced.signal('SIGKILL')
    return fenced
  }

  function end(why: EndReason): void {
    if (reason !== null) return
    reason = why
    if (why === 'timeout') {
      fenced?.signal('SIGTERM')
      // some filters never check for the signal
      after(killAfterMs, () => fenced?.signal('SIGKILL'))
    } else {
      fenced?.signal('SIGKILL')
    }
  }

  function report(block: ProgressBlock): void {
    latest = block
    progressed ||= hasMadeSomething(block)
    const { fps: _, isLast, ...figures } = block
    send({ type: 'progress', id, step, ...figures, stalled }, true)
    if (isLast || clock.monotonicMs() - reportedMs < statsEveryMs) return
    reportedMs = clock.monotonicMs()
    logged = block
    log.write(statsLine(block))
  }

  function watchAgain(): void {
    after(watchEveryMs, () => {
      watching = watch()
    })
  }

  async function watch(): Promise<void> {
    const use = await checkLimits()
    if (isOver || use === null) return
    watchAgain()
    const figures = memory.figures()
    if (figures !== null) send({ type: 'memory', ...figures }, true)
    const { outTimeUs = null, frame = null } = latest ?? {}
    const still = isStalled({ outTimeUs, frame, bytes: use.bytes }, clock.monotonicMs())
    if (still !== stalled) {
      stalled = still
      report(latest ?? nothingYet)
    }
  }

  function after(delayMs: number, action: () => void): void {
    const cancel = clock.schedule(delayMs, () => {
      timers.delete(cancel)
      action()
    })
    timers.add(cancel)
  }

  function exited(
    result: ProcessEnd,
    seconds: number,
    kernel: Pick<Exited, 'oom' | 'threadRefused'>,
  ): Exited {
    const { code, signal, failure } = result
    if (failure !== null) log.note(failure.message)
    const notStarted = failure !== null || isWrapperFailure(code, latest, log)
    return {
      type: 'exited',
      id,
      step,
      code,
      signal,
      reason: reason ?? (notStarted ? 'not_started' : null),
      ...kernel,
      progressed,
      seconds,
      tail: log.tail(tailBytes),
    }
  }
}

const nothingYet: ProgressBlock = {
  outTimeUs: null,
  frame: null,
  totalBytes: null,
  speed: null,
  fps: null,
  isLast: false,
}
const killAfterMs = 5000
const watchEveryMs = 2000
const statsEveryMs = 10_000
/** A quarter of the longest line of the link: quotes and backslashes double in JSON. */
const tailBytes = 16 * 1024

/** A command that is refused while its encoders are opened ends with a block too, of nothing. */
function hasMadeSomething({ outTimeUs, frame, totalBytes }: ProgressBlock): boolean {
  return [outTimeUs, frame, totalBytes].some((figure) => figure !== null && figure > 0)
}

/** prlimit and setpriv end with 1, 126 or 127 and their own name in front; FFmpeg ends with 1 too. */
function isWrapperFailure(
  code: number | null,
  latest: ProgressBlock | null,
  log: LogFeed,
): boolean {
  if (code === 127 || code === 126) return true
  return code === 1 && latest === null && /^(setpriv|prlimit): /.test(log.firstLine())
}

/** Whether a count of the kernel has risen since this call. */
function grown(count: () => number | null): () => boolean {
  const before = count()
  return () => {
    const after = count()
    return before !== null && after !== null && after > before
  }
}

/** The only reason for which the kernel forks no process: the pod has reached its limit. */
function isWithoutRoom(failure: Error | null): boolean {
  return failure !== null && 'code' in failure && failure.code === 'EAGAIN'
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
