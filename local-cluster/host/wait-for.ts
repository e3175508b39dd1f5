import { setTimeout as delay } from 'node:timers/promises'

/**
 * The one bound of waits in tests, far more than any machine needs: it ends a wait for what never comes, and says nothing about
 * speed. mocha ends a test after 300 s.
 */
export const patienceMs = 240_000

export interface WaitOptions {
  readonly what: string
  readonly timeoutMs?: number
  readonly everyMs?: number
  /** Added to the error, such as the end of a log. */
  readonly explain?: () => Promise<string>
}

/**
 * Polls until the condition holds.
 *
 * @throws Error saying what was waited for, how long, and the explanation.
 */
export async function waitFor(
  condition: () => Promise<boolean>,
  { what, timeoutMs = patienceMs, everyMs = 50, explain }: WaitOptions,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > end) {
      const explanation = explain === undefined ? '' : `\n${await explain()}`
      throw new Error(`gave up waiting for ${what} after ${timeoutMs / 1000} s${explanation}`)
    }
    await delay(everyMs)
  }
}
