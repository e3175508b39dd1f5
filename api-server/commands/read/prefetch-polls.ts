import type { Clock } from '../../../common/runtime/effects.ts'

export interface LookAhead {
  /** Somebody has polled. */
  polled(): void
}

/** Fewer polls than this between two looks are cheaper to answer one by one. */
const busyPolls = 10

/**
 * Calls `look` again and again while many poll, never twice at a time: what they are going to ask
 * is asked for all of them at once, before they come and would have to wait for the answer.
 * @param look what it rejects with is dropped: those who poll then ask by themselves, and are told
 */
export function createLookAhead(deps: {
  readonly clock: Clock
  readonly everyMs: number
  readonly look: () => Promise<void>
}): LookAhead {
  const { clock, everyMs, look } = deps
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
      else look().then(wait, wait)
    })
  }
}
