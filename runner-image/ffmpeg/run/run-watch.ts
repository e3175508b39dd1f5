import type { Clock } from '../../../common/runtime/effects.ts'
import type { EndReason, RunLimits } from '../../link/messages.ts'
import type { MemoryGroup } from '../sandbox/control-group.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { folderUse, isDiskFull } from './folder-use.ts'
import type { FolderUse } from './folder-use.ts'
import type { RunReport, Send } from './run-report.ts'
import { asError } from './run-end.ts'
import { brokenLimit, createStallDetector } from './watchdog.ts'

export interface RunWatchDeps {
  readonly clock: Clock
  readonly sandbox: Pick<Sandbox, 'folders'>
  readonly memory: Pick<MemoryGroup, 'figures'>
  readonly send: Send
}

/** Looks after the folders, the memory and the progress of a run. */
export interface RunWatch {
  /** A look every two seconds from now on. */
  start(): void
  /** FFmpeg is gone; resolves when no look can report anything any more. */
  stop(): Promise<void>
  /** Ends the run if its folders exceed a limit; null: they could not be measured, which ends it too. */
  checkLimits(): Promise<FolderUse | null>
  hasFilledDisk(): Promise<boolean>
}

const lookEveryMs = 2000

export function createRunWatch(
  { clock, sandbox, memory, send }: RunWatchDeps,
  limits: RunLimits,
  report: RunReport,
  end: (reason: EndReason) => void,
): RunWatch {
  const { folders } = sandbox
  const isStalled = createStallDetector()
  let isOver = false
  let looking = Promise.resolve()
  let cancelNext = (): void => undefined

  return {
    start,
    async stop() {
      isOver = true
      cancelNext()
      await looking
    },
    checkLimits,
    /** FFmpeg does not always report it: its muxers report any file that they cannot open as EIO. */
    async hasFilledDisk() {
      try {
        return await isDiskFull(folders.work)
      } catch (error) {
        noteUnmeasured(error)
        return false
      }
    },
  }

  function start(): void {
    cancelNext = clock.schedule(lookEveryMs, () => {
      looking = look()
    })
  }

  async function look(): Promise<void> {
    const use = await checkLimits()
    if (isOver || use === null) return
    start()
    const figures = memory.figures()
    if (figures !== null) send({ type: 'memory', ...figures }, true)
    const { outTimeUs = null, frame = null } = report.state().latest ?? {}
    report.setStalled(isStalled({ outTimeUs, frame, bytes: use.bytes }, clock.monotonicMs()))
  }

  async function checkLimits(): Promise<FolderUse | null> {
    try {
      const use = await folderUse(folders.work, limits.fileCount)
      const inputs = await folderUse(folders.inputs, limits.fileCount)
      const broken = brokenLimit({ ...use, bytes: use.bytes + inputs.bytes }, limits)
      // After success the free space does not matter: there was room for all that FFmpeg wrote.
      const isSettled = isOver && broken === 'free_space'
      if (broken !== null && !isSettled) end(broken)
      return use
    } catch (error) {
      noteUnmeasured(error)
      end('unmeasured')
      return null
    }
  }

  function noteUnmeasured(error: unknown): void {
    report.log.note(`the working folder could not be measured: ${asError(error).message}`)
  }
}
