import { Failure } from '../../../common/domain/failures.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { backoffMs } from '../runtime/backoff.ts'
import { TransientFetchError, fetchError } from './fetch-error.ts'

export const triesPerFile = 4

export interface Tries {
  /**
   * Waits before the next try of a transient error; rethrows any other error, and the last
   * transient one as UNREACHABLE_INPUT_FILE.
   */
  afterError(error: unknown): Promise<void>
}

/** The tries of one file, shared by all its connections: eight of them must not try 32 times. */
export function createTries(effects: Effects, signal: AbortSignal): Tries {
  let failures = 0
  return {
    async afterError(error) {
      signal.throwIfAborted()
      const known = fetchError(error)
      if (!(known instanceof TransientFetchError)) throw known
      failures++
      if (failures >= triesPerFile) {
        throw new Failure('UNREACHABLE_INPUT_FILE', known.message, { cause: known })
      }
      await sleep(effects.clock, backoffMs(failures, effects.random(), known.retryAfterMs), signal)
    },
  }
}
