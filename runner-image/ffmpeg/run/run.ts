import type { Exited, Run } from '../../link/messages.ts'
import type { MemoryGroup, PidsGroup } from '../sandbox/control-group.ts'
import { exitedFrom, watchKernel } from './run-end.ts'
import { createRunProcess } from './run-process.ts'
import type { RunProcess, RunProcessDeps } from './run-process.ts'
import { createRunReport } from './run-report.ts'
import type { Send } from './run-report.ts'
import { createRunWatch } from './run-watch.ts'

export interface RunDeps extends RunProcessDeps {
  readonly memory: MemoryGroup
  readonly pids: PidsGroup
  readonly send: Send
}

export interface RunningCommand extends Pick<RunProcess, 'end'> {
  /** Resolves when `exited` has been sent, with that. */
  readonly ended: Promise<Exited>
}

/** FFmpeg's run of one step: the process, what it says, and a look at its folders every two seconds. */
export function startRun(deps: RunDeps, run: Run): RunningCommand {
  const { failpoint, memory, pids, send } = deps
  const report = createRunReport(deps.clock, run, send)
  const ffmpeg = createRunProcess({ ...deps, onSpawned }, run, report)
  const watch = createRunWatch(deps, run.limits, report, (reason) => ffmpeg.end(reason))
  return { end: (reason) => ffmpeg.end(reason), ended: follow() }

  function onSpawned(): void {
    watch.start()
    deps.onSpawned()
  }

  async function follow(): Promise<Exited> {
    const kernelSince = watchKernel(memory, pids)
    const { process, seconds } = await ffmpeg.run()
    report.logLast()
    // A look that ends later would report this run after its end.
    await watch.stop()
    // FFmpeg can write 10,000 files in the two seconds since the last look, which would all be stored.
    if (process.code === 0) await watch.checkLimits()
    const isFull = process.code !== null && process.code !== 0 && (await watch.hasFilledDisk())
    report.log.end()
    const kernel = kernelSince()
    return await failpoint('supervisor.exited', async () => {
      const reason = ffmpeg.reason() ?? (isFull ? 'free_space' : null)
      const message = exitedFrom(run, { process, reason, seconds, kernel }, report)
      send(message, false)
      return message
    })
  }
}
