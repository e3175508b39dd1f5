import { sleep } from '../../common/runtime/effects.ts'
import { createTokenBucket } from '../../common/kubernetes/throttle/token-bucket.ts'
import { eventBody } from './event-body.ts'
import { microTime } from '../../common/kubernetes/api-conventions.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { KubeEvent } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { TokenBucket } from '../../common/kubernetes/throttle/token-bucket.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { EventFacts, Reporter } from './event-body.ts'

/**
 * Writes Kubernetes Events for people who run `kubectl describe`. Best-effort: nothing waits for
 * it, nothing depends on it, and too frequent Events are dropped.
 */
export interface EventRecorder {
  record(event: EventFacts): void
  /** Resolves when what was recorded is written or given up. */
  flush(): Promise<void>
}

export interface EventRecorderDeps extends Reporter {
  readonly events: Resource<KubeEvent>
  readonly clock: Clock
  readonly newId: () => string
  readonly logger: Logger
}

/** The same object, reason and action again within this time continue one Event as a series, with its first note. */
const seriesMs = 10 * 60_000
const retryMs = 1_000
const perObject = { burst: 10, perSecond: 1 / 60 }
const overall = { burst: 50, perSecond: 10 }

interface Series {
  count: number
  lastMs: number
  /** Name and namespace of the Event; null if its create failed. */
  readonly created: Promise<{ namespace: string; name: string } | null>
}

export function createEventRecorder(deps: EventRecorderDeps): EventRecorder {
  const { events, clock } = deps
  const everything = createTokenBucket({ clock, ...overall })
  const buckets = new Map<string, { bucket: TokenBucket; lastMs: number }>()
  const seriesOf = new Map<string, Series>()
  const pending = new Set<Promise<unknown>>()

  return {
    record(event) {
      forgetOld(seriesOf)
      forgetOld(buckets)
      if (!bucketOf(event.regarding.uid).tryTake() || !everything.tryTake()) return
      const key = `${event.regarding.uid} ${event.reason} ${event.action}`
      const series = seriesOf.get(key)
      if (series === undefined) begin(key, event)
      else repeat(key, series)
    },
    async flush() {
      await Promise.all(pending)
    },
  }

  function begin(key: string, event: EventFacts): void {
    const body = eventBody(event, deps, { now: clock.wall(), suffix: deps.newId() })
    const { namespace, name } = body.metadata
    const written = writeTwice(deps, () => events.create(namespace, body))
    const created = written.then((isDone) => (isDone ? { namespace, name } : null))
    seriesOf.set(key, { count: 1, lastMs: clock.monotonicMs(), created })
    track(created)
  }

  function repeat(key: string, series: Series): void {
    series.count += 1
    series.lastMs = clock.monotonicMs()
    seriesOf.delete(key)
    seriesOf.set(key, series)
    const patch = { series: { count: series.count, lastObservedTime: microTime(clock.wall()) } }
    track(
      series.created.then(async (target) => {
        if (target !== null) await writeTwice(deps, () => events.mergePatch(target, patch))
      }),
    )
  }

  function bucketOf(uid: string): TokenBucket {
    const bucket = buckets.get(uid)?.bucket ?? createTokenBucket({ clock, ...perObject })
    buckets.delete(uid)
    buckets.set(uid, { bucket, lastMs: clock.monotonicMs() })
    return bucket
  }

  /** Both maps are in the order of their last use. */
  function forgetOld(uses: Map<string, { readonly lastMs: number }>): void {
    for (const [key, { lastMs }] of uses) {
      if (clock.monotonicMs() - lastMs < seriesMs) return
      uses.delete(key)
    }
  }

  function track(work: Promise<unknown>): void {
    const settled = work.finally(() => pending.delete(settled))
    pending.add(settled)
  }
}

async function writeTwice(
  { clock, logger }: Pick<EventRecorderDeps, 'clock' | 'logger'>,
  write: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    logger.debug('Event not written; retrying', { error })
  }
  try {
    await sleep(clock, retryMs)
    await write()
    return true
  } catch (error) {
    logger.info('Event dropped', { error })
    return false
  }
}
