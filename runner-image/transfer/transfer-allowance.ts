import type { Clock } from '../../common/effects.ts'
import type { Failure } from '../../common/failures.ts'
import { abortReason } from './abort-reason.ts'

/** The time that fetching and storing may take together; FFmpeg's own time is not part of it. */
export interface TransferAllowance {
  /** Runs work that is paid from the allowance; its signal aborts once that is used up. */
  spend<T>(
    signal: AbortSignal,
    usedUp: () => Failure,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

export function createTransferAllowance(clock: Clock, seconds: number): TransferAllowance {
  let leftMs = seconds * 1000
  return {
    async spend(signal, usedUp, work) {
      const late = new AbortController()
      const startedAt = clock.monotonicMs()
      const cancel = clock.schedule(Math.max(0, leftMs), () => {
        late.abort(usedUp())
      })
      try {
        return await work(AbortSignal.any([signal, late.signal]))
      } catch (error) {
        // What was cut off in its course says only that it was cut off.
        throw late.signal.aborted && !signal.aborted ? abortReason(late.signal) : error
      } finally {
        cancel()
        leftMs -= clock.monotonicMs() - startedAt
      }
    },
  }
}
