import { createOnceAMinute } from '../bounded/once-a-minute.ts'
import type { Clock } from './effects.ts'
import type { LogFields, Logger } from './logger.ts'

/**
 * Work on one item after another in which no item stops the others: each failure is caught, its item
 * is postponed, and a line a minute reports how many failed.
 */
export interface EachItem {
  /**
   * Resolves when the items are used up or the signal has aborted.
   * @throws what `items` throws, and the last error after `giveUpAfter` failures in a row
   */
  run<T>(items: Iterable<T> | AsyncIterable<T>, steps: ItemSteps<T>): Promise<void>
}

export interface ItemSteps<T> {
  readonly work: (item: T) => Promise<void>
  /** Records when the failed item is tried again: otherwise it would be the first of the next pass. */
  readonly postpone: (item: T, error: unknown) => Promise<void> | void
  /** Names the item in the log. */
  readonly describe: (item: T) => LogFields
  /** Items at a time; 1 by default. */
  readonly concurrency?: number
  /**
   * Failures in a row, without a success between them, after which the cause is taken to be what all
   * items need: trying the others would only cost each of them a time-out.
   */
  readonly giveUpAfter?: number
  readonly signal?: AbortSignal
}

/** @param deps.name of the work, for the log */
export function createEachItem(deps: {
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
}): EachItem {
  const { name, clock, logger } = deps
  const isDue = createOnceAMinute(() => clock.monotonicMs())
  let failures = 0
  return { run }

  async function run<T>(
    items: Iterable<T> | AsyncIterable<T>,
    { work, postpone, describe, concurrency = 1, giveUpAfter = Infinity, signal }: ItemSteps<T>,
  ): Promise<void> {
    const iterator = iteratorOf(items)
    let inARow = 0
    let last: unknown
    const isStopped = (): boolean => signal?.aborted === true
    const worker = async (): Promise<void> => {
      while (!isStopped() && inARow < giveUpAfter) {
        const next = await iterator.next()
        if (next.done === true) return
        try {
          await work(next.value)
          inARow = 0
        } catch (error) {
          if (isStopped()) return
          inARow += 1
          last = error
          report(describe(next.value), error)
          await postponed(next.value, error)
        }
      }
    }
    const postponed = async (item: T, error: unknown): Promise<void> => {
      try {
        await postpone(item, error)
      } catch (failure) {
        report({ ...describe(item), postponed: false }, failure)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    if (inARow >= giveUpAfter) throw last
  }

  function report(item: LogFields, error: unknown): void {
    failures += 1
    if (!isDue()) return
    logger.warn('items failed; retrying with backoff', { work: name, failures, ...item, error })
    failures = 0
  }
}

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
}
