import type { EndReason, Exited, Run } from '../../link/messages.ts'
import type { MemoryGroup, PidsGroup } from '../sandbox/control-group.ts'
import type { ProcessEnd } from '../sandbox/fenced-process.ts'
import type { RunReport } from './run-report.ts'

/** How a run has ended. */
export interface RunEnd {
  readonly process: ProcessEnd
  /** The first reason for which it was ended; null: FFmpeg ended by itself. */
  readonly reason: EndReason | null
  readonly seconds: number
  readonly kernel: KernelFacts
}

export type KernelFacts = Pick<Exited, 'oom' | 'threadRefused'>

/** A quarter of the longest line of the link: quotes and backslashes double in JSON. */
const tailBytes = 16 * 1024

export function exitedFrom(
  { id, step }: Run,
  { process, reason, seconds, kernel }: RunEnd,
  report: RunReport,
): Exited {
  const { code, signal, failure } = process
  if (failure !== null) report.log.note(failure.message)
  const { oom, threadRefused } = kernel
  return {
    type: 'exited',
    id,
    step,
    code,
    signal,
    reason: reason ?? (failure !== null || isWrapperFailure(code, report) ? 'not_started' : null),
    oom,
    threadRefused: threadRefused || isWithoutRoom(failure),
    progressed: report.state().hasOutput,
    seconds,
    tail: report.log.tail(tailBytes),
  }
}

/** @returns what the kernel has done to this container since the call */
export function watchKernel(memory: MemoryGroup, pids: PidsGroup): () => KernelFacts {
  const isKilledForMemory = grown(() => memory.oomKills())
  const isRefusedThread = grown(() => pids.refusals())
  return () => ({ oom: isKilledForMemory(), threadRefused: isRefusedThread() })
}

/** Whether a count of the kernel has risen since this call. */
function grown(count: () => number | null): () => boolean {
  const before = count()
  return () => {
    const after = count()
    return before !== null && after !== null && after > before
  }
}

/** prlimit and setpriv end with 1, 126 or 127 and their own name in front; FFmpeg ends with 1 too. */
function isWrapperFailure(code: number | null, report: RunReport): boolean {
  if (code === 127 || code === 126) return true
  if (code !== 1 || report.state().latest !== null) return false
  return /^(setpriv|prlimit): /.test(report.log.firstLine())
}

/** The only reason for which the kernel forks no process: the pod has reached its limit. */
function isWithoutRoom(failure: Error | null): boolean {
  return failure !== null && 'code' in failure && failure.code === 'EAGAIN'
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
