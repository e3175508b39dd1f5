import { Failure } from '../../../common/domain/failures.ts'
import { orAborted, sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { backoffMs } from '../runtime/backoff.ts'
import type { Turn } from './origin-turns.ts'
import { TransientFetchError, fetchError } from './fetch-error.ts'

export const triesPerFile = 4

export interface Tries {
  /**
   * Waits before the next try of a transient error; rethrows any other error, and the last
   * transient one as UNREACHABLE_INPUT_FILE.
   * @param turn while the server serves another file to this command, it may allow no more connections: the last try
   * waits for that file
   */
  afterError(error: unknown, turn?: Pick<Turn, 'others'>): Promise<void>
}

/** The tries of one file, shared by all its connections: eight of them must not try 32 times. */
export function createTries(effects: Effects, signal: AbortSignal): Tries {
  let failures = 0
  return {
    async afterError(error, turn) {
      signal.throwIfAborted()
      const known = fetchError(error)
      if (!(known instanceof TransientFetchError)) throw known
      if (failures + 1 >= triesPerFile) {
        const others = turn?.others() ?? null
        if (others !== null) {
          await orAborted(others, signal)
          // The server may not have seen yet that the connection of the other file has ended.
          failures = triesPerFile - 2
          return
        }
      }
      failures++
      if (failures >= triesPerFile) {
        throw new Failure('UNREACHABLE_INPUT_FILE', known.message, { cause: known })
      }
      await sleep(effects.clock, backoffMs(failures, effects.random(), known.retryAfterMs), signal)
    },
  }
}
