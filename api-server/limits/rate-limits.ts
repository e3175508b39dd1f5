import { BoundedMap } from '../../common/bounded/bounded-map.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Bucket } from '../../common/store/limits.ts'
import type { Store } from '../../common/store/store.ts'

/** Rate limits from buckets that all replicas share. */
export interface RateLimits {
  take(bucket: Bucket): Promise<Taken>
}

export type Taken =
  | { readonly granted: true; readonly giveBack: () => Promise<void> }
  /** Whole seconds, at least 1. */
  | { readonly granted: false; readonly retrySeconds: number }

interface Deps {
  readonly store: Pick<Store, 'takeTokens' | 'secondsUntilTokens' | 'giveTokensBack'>
  readonly clock: Clock
}

/** This replica's state of one bucket; times are of its monotonic clock. */
interface Known {
  held: number
  heldUntil: number
  leasing: Promise<void> | null
  refusedUntil: number
  nextTokenAt: number
}

const maxKnown = 10_000
/** A bucket is full again by then, so older tokens would exceed its size. */
const heldMs = 60_000
/** During a flood each replica reads an empty bucket once per this time. */
const refusedMs = 1_000
/** A replica takes 1/`blockShare` of a bucket at a time: polls cost one statement a second, not one each. */
const blockShare = 60

export function createRateLimits({ store, clock }: Deps): RateLimits {
  const all = new BoundedMap<string, Known>(maxKnown)
  return {
    async take(bucket) {
      const known = knownOf(bucket)
      const block = blockOf(bucket)
      for (;;) {
        const now = clock.monotonicMs()
        if (now < known.refusedUntil) return refused(known, now)
        if (block === 1) return takeOne(bucket, known)
        if (known.held > 0 && now < known.heldUntil) {
          known.held -= 1
          return { granted: true, giveBack: async () => void (known.held += 1) }
        }
        known.leasing ??= lease(bucket, known, block).finally(() => (known.leasing = null))
        await known.leasing
      }
    },
  }

  async function takeOne(bucket: Bucket, known: Known): Promise<Taken> {
    const take = { ...bucket, tokens: 1 }
    if (!(await store.takeTokens(take))) {
      await findNextToken(bucket, known)
      return refused(known, clock.monotonicMs())
    }
    return {
      granted: true,
      async giveBack() {
        await store.giveTokensBack(take)
        known.refusedUntil = 0
      },
    }
  }

  async function lease(bucket: Bucket, known: Known, block: number): Promise<void> {
    const queriedAt = clock.monotonicMs()
    // A nearly empty bucket may still have single tokens.
    for (const tokens of [block, 1]) {
      if (!(await store.takeTokens({ ...bucket, tokens }))) continue
      known.held = tokens
      known.heldUntil = queriedAt + heldMs
      return
    }
    await findNextToken(bucket, known)
  }

  async function findNextToken(bucket: Bucket, known: Known): Promise<void> {
    const seconds = await store.secondsUntilTokens({ ...bucket, tokens: 1 })
    const now = clock.monotonicMs()
    const waitMs = (seconds ?? 60) * 1_000
    known.nextTokenAt = now + waitMs
    known.refusedUntil = now + Math.min(waitMs, refusedMs)
  }

  function knownOf({ accountId, group }: Bucket): Known {
    const id = `${group} ${accountId}`
    const found = all.get(id)
    if (found !== undefined) return found
    const added = { held: 0, heldUntil: 0, leasing: null, refusedUntil: 0, nextTokenAt: 0 }
    all.set(id, added)
    return added
  }
}

/** Submissions are counted exactly: they are few, and users notice a difference. */
function blockOf({ group, perMinute }: Bucket): number {
  return group === 'submissions' ? 1 : Math.max(1, Math.floor(perMinute / blockShare))
}

function refused({ nextTokenAt }: Known, now: number): Taken {
  return { granted: false, retrySeconds: Math.max(1, Math.ceil((nextTokenAt - now) / 1_000)) }
}
