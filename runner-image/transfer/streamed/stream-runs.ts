import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Exited } from '../../link/messages.ts'
import { makeFolders } from '../runtime/make-folders.ts'
import type { Log } from '../report/log.ts'
import type { SupervisorWork } from '../supervisor/supervisor-link.ts'
import type { TransferAllowance } from '../runtime/transfer-allowance.ts'
import type { ArrivingInputs, UsableInput } from './arriving-inputs.ts'
import { feedFifo } from './feed-fifo.ts'
import type { Feed } from './feed-fifo.ts'

export interface StreamedRunDependencies {
  readonly supervisor: SupervisorWork
  readonly inputs: readonly UsableInput[]
  readonly arriving: ArrivingInputs
  readonly allowance: TransferAllowance
  readonly effects: Effects
  readonly log: Log
  /** The working folder; empty but for `folders` before the run. */
  readonly work: string
  readonly folders: readonly string[]
}

type Run = SupervisorWork['run']

/**
 * The supervisor, but a command runs while its inputs are still downloading. Its success counts
 * only if every byte that FFmpeg requested has arrived. A run that ends in any other way is
 * repeated from the whole files, so that the outcome of a command never depends on how its inputs
 * came. `run` throws the Failure of a download that failed.
 */
export function streamRuns(deps: StreamedRunDependencies): SupervisorWork {
  const { supervisor, arriving, effects, log } = deps
  const piped = deps.inputs.flatMap((input) =>
    input.piped === null ? [] : [{ path: input.path, ...input.piped }],
  )
  return piped.length === 0 ? supervisor : { ...supervisor, run }

  async function run(...[command, watch, stop]: Parameters<Run>): ReturnType<Run> {
    let isOver = false
    let completedMs: number | null = null
    let incomplete: { error: unknown } | null = null
    const settled = arriving.complete.then(
      () => {
        completedMs = effects.clock.monotonicMs()
      },
      (error: unknown) => {
        incomplete = { error }
        if (!isOver) supervisor.kill('input_incomplete')
      },
    )
    const feeds = piped.map(({ path, file }) => feedFifo(join(deps.work, path), file, effects))
    const broken = watchFeeds(feeds)
    const exited = await supervisor.run(command, watch, stop).finally(() => {
      isOver = true
      for (const feed of feeds) feed.stop()
    })
    await Promise.allSettled(feeds.map(({ ended }) => ended))
    if (exited.reason === 'input_incomplete') throwIf(incomplete)
    if (isVerdict(exited, feeds) && !(exited.code === 0 && broken())) return exited
    log('info', 'restarting the step from complete inputs', {
      code: exited.code,
      reason: exited.reason,
    })
    await settled
    throwIf(incomplete)
    watch.onStderr({ type: 'stderr', id: '', step: command.step, lines: [runsAgain], dropped: 0 })
    await effects.failpoint('transfer.run_repeated', startOver)
    const unpaid = deps.allowance.charge(secondsSince(completedMs))
    const seconds = Math.max(1, command.limits.seconds - unpaid)
    return supervisor.run({ ...command, limits: { ...command.limits, seconds } }, watch, stop)
  }

  /**
   * Kills the run if a feed cannot continue: FFmpeg would take the end of the pipe for that of the
   * file.
   */
  function watchFeeds(feeds: readonly Feed[]): () => boolean {
    let isBroken = false
    const end = (error?: unknown): void => {
      isBroken = true
      if (error !== undefined) log('warn', 'streaming of an input failed', { error })
      supervisor.kill('input_incomplete')
    }
    for (const { ended } of feeds) {
      ended.then((how) => {
        if (how === 'changed') end()
      }, end)
    }
    return () => isBroken
  }

  /** Files of the first run would be stored as outputs of the second, segments above all. */
  async function startOver(): Promise<void> {
    for (const name of await readdir(deps.work)) {
      await rm(join(deps.work, name), { recursive: true })
    }
    await makeFolders(deps.work, deps.folders)
    for (const input of piped.splice(0)) await input.settle()
  }

  /** A command that waited for its file is not repeated within its own time, but the transfer's. */
  function secondsSince(completedMs: number | null): number {
    return completedMs === null ? 0 : (effects.clock.monotonicMs() - completedMs) / 1000
  }
}

const runsAgain =
  'FFmpeg read an input while it was still arriving and did not succeed; it runs once more, from the whole file'

/**
 * Whether the end of a run is a result of the command, independent of how its inputs came. A cap
 * that was used up waiting for bytes is not.
 */
function isVerdict({ code, reason, oom, threadRefused }: Exited, feeds: readonly Feed[]): boolean {
  if (reason === 'timeout') return feeds.every((feed) => feed.starvedMs() < worthwhileMs)
  if (reason !== null) return reason !== 'input_incomplete'
  return code === 0 || oom || threadRefused
}

const worthwhileMs = 1000

function throwIf(failed: { error: unknown } | null): void {
  if (failed !== null) throw failed.error
}
