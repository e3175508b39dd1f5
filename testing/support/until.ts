import { inspect } from 'node:util'
import { sleep } from '../../common/runtime/effects.ts'
import { systemClock } from '../../common/runtime/system-effects.ts'
import { patienceMs } from '../../local-cluster/host/wait-for.ts'

export { patienceMs }

const everyMs = 20

/**
 * Polls until the condition returns a truthy value. A rejection counts as not yet.
 * @param what names in the error what was waited for
 * @returns the value
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what = String(condition),
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const endMs = systemClock.monotonicMs() + patienceMs
  for (;;) {
    let last: unknown
    try {
      const value = await condition()
      if (isTruthy(value)) return value
      last = value
    } catch (error) {
      last = error
    }
    if (systemClock.monotonicMs() > endMs) {
      const seen = last instanceof Error ? last.message : inspect(last)
      throw new Error(`waited ${patienceMs / 1_000} s for: ${what}; last: ${seen}`, { cause: last })
    }
    await sleep(systemClock, everyMs)
  }
}

function isTruthy<T>(value: T): value is Exclude<T, false | null | undefined | 0 | ''> {
  return Boolean(value)
}
