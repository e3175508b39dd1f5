import { abortReason } from '../../../common/runtime/effects.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Failure } from '../../../common/domain/failures.ts'

/** The time that fetching and storing may take together; FFmpeg's own time is not part of it. */
export interface TransferAllowance {
  /**
   * Runs work that counts against the allowance; its signal aborts once that is used up. Concurrent
   * work counts once.
   */
  spend<T>(
    signal: AbortSignal,
    usedUp: () => Failure,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Counts time that has passed already. @returns seconds of it that were not left */
  charge(seconds: number): number
}

export function createTransferAllowance(clock: Clock, seconds: number): TransferAllowance {
  let leftMs = seconds * 1000
  let underWay = 0
  let countedAt = 0

  function count(): void {
    const now = clock.monotonicMs()
    if (underWay > 0) leftMs -= now - countedAt
    countedAt = now
  }

  return {
    async spend(signal, usedUp, work) {
      const late = new AbortController()
      count()
      underWay++
      const cancel = clock.schedule(Math.max(0, leftMs), () => {
        late.abort(usedUp())
      })
      try {
        return await work(AbortSignal.any([signal, late.signal]))
      } catch (error) {
        // The error of interrupted work does not give the reason of the interruption.
        throw late.signal.aborted && !signal.aborted ? abortReason(late.signal) : error
      } finally {
        cancel()
        count()
        underWay--
      }
    },
    charge(spent) {
      count()
      const unpaidMs = Math.max(0, spent * 1000 - Math.max(0, leftMs))
      leftMs -= spent * 1000 - unpaidMs
      return unpaidMs / 1000
    },
  }
}

/** Text for sentences: megabytes of 2^20 bytes with one decimal, whole numbers without. */
export function megabytes(bytes: number): string {
  return String(Math.round((bytes / 1024 ** 2) * 10) / 10)
}
