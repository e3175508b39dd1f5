import { setTimeout as delay } from 'node:timers/promises'

/** Seconds after which a run ends by itself, so that it is never cut off without a word. */
export interface Deadline {
  readonly seconds: number
  readonly signal: AbortSignal
}

/**
 * @param text of `TEST_DEADLINE_SECONDS`; without it a run has no deadline
 * @throws Error where it is not a positive number
 */
export function deadlineFrom(text: string | undefined): Deadline {
  if (text === undefined || text === '') {
    return { seconds: Infinity, signal: new AbortController().signal }
  }
  const seconds = Number(text)
  if (!(seconds > 0)) {
    throw new Error(`TEST_DEADLINE_SECONDS must be a positive number; got '${text}'`)
  }
  return { seconds, signal: AbortSignal.timeout(seconds * 1_000) }
}

/** Time in which processes that the signal ends have ended. */
const graceMs = 15_000

/** Resolves with the work, or with undefined some seconds after the signal was aborted and the work had not ended. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const stop = () => {
    void delay(graceMs, undefined, { ref: false }).then(resolve)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
