import { ApiError } from '../client/errors.ts'
import type { Retry } from '../client/send.ts'

/** Shorter waits end before a line about them is read. */
const shortestMs = 2_000

/** Prints why a call waits and for how long, such as while submissions are paused. */
export function retryNotes(say: (line: string) => void): (retry: Retry) => void {
  return ({ error, waitMs }) => {
    if (waitMs < shortestMs) return
    const reason =
      error instanceof ApiError ? `the service answers ${error.message}` : error.message
    say(`${reason.replace(/[.;]+$/, '')}; the next attempt is in ${Math.round(waitMs / 1_000)} s`)
  }
}
