import { sleep } from '../../common/runtime/effects.ts'
import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { readResult, resultObject } from '../../common/storage/result-object.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { SmallObjects } from '../../common/storage/object-store.ts'
import type { RecordedResult, ResultStore } from '../../common/store/attempts.ts'
import type { HistoryMetrics } from './history-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'

/** Result objects: a SUCCESS is stored in the bucket before a custom resource shows it. */
export interface ResultKeeper {
  /**
   * `later`: the object store is unavailable, and the end is not shown yet. `skipped`: the end is shown
   * without a result object, since the object store has been unavailable for ten seconds.
   */
  keep(commandId: string): Promise<'kept' | 'later' | 'skipped'>
  /** `unavailable`: nothing is known now. */
  find(of: {
    readonly accountId: string
    readonly commandId: string
    readonly attempt: string
  }): Promise<RecordedResult | null | 'unavailable'>
}

export interface ResultKeeperDeps {
  readonly store: Pick<ResultStore, 'findResult'>
  readonly storage: Pick<SmallObjects, 'putBytes' | 'readBytes'>
  /** Whether ends wait for their result object; existing ones are read in any case. */
  readonly enabled: boolean
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<HistoryMetrics, 'resultObject'>
  readonly logger: Logger
}

/** The S3 client repeats a request by itself; a worker must not wait for all of that. */
const requestMs = 3_000
const againMs = 1_000
/** How long ends wait for an object store that is unavailable, from its first failure. */
const patienceMs = 10_000

/**
 * An outage delays the ends of its first ten seconds only: later ends are shown at once, and one of
 * them a second tests the store again.
 */
export function createResultKeeper(deps: ResultKeeperDeps): ResultKeeper {
  const { effects, logger, metrics, storage, store } = deps
  const { clock } = effects
  let outage: { readonly sinceMs: number; triedMs: number } | null = null

  return {
    async keep(commandId) {
      if (!deps.enabled) return 'kept'
      const beganMs = clock.monotonicMs()
      if (outage !== null && beganMs - outage.triedMs < againMs) return whileUnavailable(beganMs)
      if (outage !== null) outage.triedMs = beganMs
      const result = await store.findResult(commandId)
      if (result === null) return 'kept'
      deps.term.mustHold()
      try {
        await effects.failpoint('operator.result_stored', () =>
          within(clock, requestMs, storage.putBytes(resultObject(result))),
        )
      } catch (error) {
        // An error that is not transient, such as a missing permission, must not hold ends either.
        if (outage === null) logger.warn('cannot store a result object', { error })
        outage ??= { sinceMs: beganMs, triedMs: beganMs }
        return whileUnavailable(clock.monotonicMs())
      }
      outage = null
      metrics.resultObject('stored', (clock.monotonicMs() - beganMs) / 1000)
      return 'kept'
    },

    async find(of) {
      try {
        return await within(clock, requestMs, readResult(storage, of))
      } catch (error) {
        if (error instanceof ObjectStoreUnavailable) return 'unavailable'
        logger.error('cannot read a result object', { command_id: of.commandId, error })
        return null
      }
    },
  }

  function whileUnavailable(nowMs: number): 'later' | 'skipped' {
    if (outage === null || nowMs - outage.sinceMs < patienceMs) return 'later'
    metrics.resultObject('skipped', 0)
    return 'skipped'
  }
}

/** The request goes on, which is harmless: it writes the same object. */
async function within<T>(
  clock: Effects['clock'],
  afterMs: number,
  request: Promise<T>,
): Promise<T> {
  const answered = new AbortController()
  const tooLate = sleep(clock, afterMs, answered.signal).then(
    () => {
      throw new ObjectStoreUnavailable(new Error(`no answer within ${afterMs} ms`))
    },
    () => request,
  )
  try {
    return await Promise.race([request, tooLate])
  } finally {
    answered.abort(new Error('answered'))
  }
}
