import type { Clock } from '../../../common/runtime/effects.ts'

export interface PollPrefetch {
  /** Call it on every poll. */
  polled(): void
}

/** Fewer polls than this per interval are cheaper to answer one by one. */
const busyPolls = 10

/**
 * While at least `busyPolls` polls arrive per interval, calls `prefetch` periodically with one call in
 * flight: it refreshes the cache with one statement, so that polls do not wait for the database.
 * @param prefetch its rejection is ignored: the next poll reads by itself and gets the same error
 */
export function createPollPrefetch(deps: {
  readonly clock: Clock
  readonly everyMs: number
  readonly prefetch: () => Promise<void>
}): PollPrefetch {
  const { clock, everyMs, prefetch } = deps
  let polls = 0
  let isWaiting = false

  return {
    polled() {
      polls += 1
      if (!isWaiting) wait()
    },
  }

  function wait(): void {
    isWaiting = true
    clock.schedule(everyMs, () => {
      const isBusy = polls >= busyPolls
      polls = 0
      if (!isBusy) isWaiting = false
      else prefetch().then(wait, wait)
    })
  }
}
