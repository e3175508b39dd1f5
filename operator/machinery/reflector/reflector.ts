import { sleep } from '../../../common/runtime/effects.ts'
import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import { backoff, fullJitter } from '../../../common/runtime/backoff.ts'
import type { KubeObject } from '../../../common/kubernetes/resources/resource.ts'
import { createChangeReader } from './change-reader.ts'
import type { ChangeReaderDeps } from './change-reader.ts'
import type { CachedObject } from './object-cache.ts'
import { createObjectCopy } from './object-copy.ts'
import type { ObjectCopy, ObjectCopyDeps } from './object-copy.ts'
import { HistoryRewound } from './watch-position.ts'

/**
 * Keeps a copy of the objects of one kind in one namespace: a LIST, then WATCH after WATCH from the
 * version at which the last one ended. The API server ends each after 40 to 50 s and sends a
 * bookmark just before, so the version stays fresh; 5 s later the client closes a stream that is
 * still open. A stream without any event is followed by a LIST: silence proves nothing.
 */
export interface Reflector<T extends CachedObject> extends Pick<
  ObjectCopy<T>,
  'get' | 'list' | 'byIndex'
> {
  /** Ends after the signal has aborted; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves after the first complete LIST. */
  readonly synced: Promise<void>
  isSynced(): boolean
  /**
   * Reads one object from the API server itself and corrects the copy by it. A miss in the copy is
   * never proof of absence: this is.
   * @throws KubeError
   */
  refresh(name: string, signal?: AbortSignal): Promise<T | null>
  msSinceContact(): number
}

export interface ReflectorDeps<R extends KubeObject, T extends CachedObject>
  extends ObjectCopyDeps<R, T>, ChangeReaderDeps<R, T> {}

const shortestHealthyMs = 1_000
const relistJitterMs = 1_000
/**
 * At most 2 s: after a stall of the API server the first effect waits for this. Four kinds send two
 * requests a second together.
 */
const floorMs = 500
const retry = { first: 500, longest: 1_500, jitter: fullJitter }

export function createReflector<R extends KubeObject, T extends CachedObject>(
  deps: ReflectorDeps<R, T>,
): Reflector<T> {
  const { clock, random, metrics } = deps
  const { kind } = deps.resource
  const logger = deps.logger.child({ kind })
  const copy = createObjectCopy({ ...deps, logger })
  const reader = createChangeReader({ ...deps, logger }, copy, {
    contact() {
      contactMs = clock.monotonicMs()
    },
    firstList() {
      isSynced = true
      sync.resolve(undefined)
    },
  })
  const sync = Promise.withResolvers<undefined>()
  let isSynced = false
  let contactMs = clock.monotonicMs()
  metrics.watch(kind, () => ({
    objects: copy.size(),
    secondsSinceContact: msSinceContact() / 1000,
    unreadable: copy.unreadable(),
  }))

  return {
    get: (name) => copy.get(name),
    list: () => copy.list(),
    byIndex: (index, key) => copy.byIndex(index, key),
    run,
    synced: sync.promise,
    isSynced: () => isSynced,
    async refresh(name, signal) {
      const found = await copy.refresh(name, signal)
      contactMs = clock.monotonicMs()
      return found
    },
    msSinceContact,
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const startMs = clock.monotonicMs()
      const isShort = (): boolean => clock.monotonicMs() - startMs < shortestHealthyMs
      try {
        await reader.read(signal)
        failures = isShort() ? failures + 1 : 0
        if (failures > 0) await pause(retryMs(failures, random()), signal)
      } catch (error) {
        if (signal.aborted) return
        failures = isShort() ? failures + 1 : 1
        const isHistoryLost = isKubeError(error, 'gone') || error instanceof HistoryRewound
        if (isHistoryLost) reader.losePlace()
        logger.warn(isHistoryLost ? 'watch lost its place' : 'list or watch failed', { error })
        const isFirst = isHistoryLost && failures === 1
        await pause(isFirst ? random() * relistJitterMs : retryMs(failures, random()), signal)
      }
    }
  }

  async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(clock, delayMs, signal).catch(() => undefined)
  }

  function msSinceContact(): number {
    return clock.monotonicMs() - contactMs
  }
}

/** A server that ends streams or refuses them at once must not get requests in a tight loop. */
function retryMs(failures: number, random: number): number {
  return floorMs + backoff(retry, failures, random)
}
