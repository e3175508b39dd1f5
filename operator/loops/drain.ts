import type { Clock } from '../../common/runtime/effects.ts'
import type { EachItem } from '../../common/runtime/each-item.ts'
import type { SweepBacklog } from '../../common/store/health.ts'
import type { LogFields } from '../../common/runtime/logger.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'
import { createOutage } from './outage.ts'

/** A sweep, from the page of what is due to the record of each item. */
export interface DrainSteps<T> {
  /** A page of items that are due; swept and postponed items are not found again. */
  readonly find: () => Promise<readonly T[]>
  /** Whether that page was not full. */
  readonly isLast: (page: readonly T[]) => boolean
  readonly sweep: (item: T) => Promise<void>
  /** Records when the failed item is due again. */
  readonly postpone: (item: T) => Promise<void> | void
  readonly describe: (item: T) => LogFields
  /** The account of each piece of work in the item. */
  readonly accountsOf: (item: T) => readonly string[]
  /** Whether the error is that of what all items need, such as the object store. */
  readonly isOutage: (error: unknown) => boolean
}

/** One pass of a sweep: `idle` if nothing was due, `behind` if items may be left that are due. */
export type SweepPass = (signal: AbortSignal) => Promise<'idle' | 'drained' | 'behind'>

/**
 * Reports what each pass leaves. While nothing is left and nothing becomes due, it is not read again:
 * an idle installation sends few statements.
 */
export function reportingBacklog(
  pass: SweepPass,
  read: () => Promise<SweepBacklog>,
  report: (backlog: SweepBacklog) => void,
): SweepPass {
  let isClear = false
  return async (signal) => {
    let result: Awaited<ReturnType<SweepPass>> | undefined
    try {
      result = await pass(signal)
      return result
    } finally {
      if (result !== 'idle' || !isClear) {
        const backlog = await read()
        isClear = backlog.due + backlog.failing === 0
        report(backlog)
      }
    }
  }
}

const concurrency = 8
const passMs = 30_000

/**
 * Sweeps page after page, until nothing is due or 30 s have passed. An item that fails is postponed and
 * delays no other; an outage ends the pass.
 * @throws errors of `find`, and the error of an outage
 */
export async function drain<T>(
  { clock, eachItem }: { readonly clock: Clock; readonly eachItem: EachItem },
  { find, isLast, sweep, postpone, describe, accountsOf, isOutage }: DrainSteps<T>,
  signal: AbortSignal,
): ReturnType<SweepPass> {
  const endMs = clock.monotonicMs() + passMs
  const outage = createOutage()
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal])
  const work = async (item: T): Promise<void> => {
    try {
      await sweep(item)
      outage.answered()
    } catch (error) {
      if (!isOutage(error)) outage.answered()
      // The item is not postponed then: it is not at fault.
      else if (outage.failed(accountsOf(item))) over.abort(error)
      if (error instanceof LeadershipLost) over.abort(error)
      throw error
    }
  }
  let isFirst = true
  for (;;) {
    const page = await find()
    if (page.length === 0) return isFirst ? 'idle' : 'drained'
    isFirst = false
    await eachItem.run(beforeEnd(page), { work, postpone, describe, concurrency, signal: stop })
    if (signal.aborted) return 'drained'
    if (over.signal.aborted) throw over.signal.reason
    if (isLast(page)) return isOver() ? 'behind' : 'drained'
    if (isOver()) return 'behind'
  }

  function* beforeEnd(items: readonly T[]): Generator<T> {
    for (const item of items) {
      if (isOver()) return
      yield item
    }
  }

  function isOver(): boolean {
    return clock.monotonicMs() >= endMs
  }
}
