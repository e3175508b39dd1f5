import { planOf } from '../../common/domain/plans.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import { keyOf } from './import-lines.ts'
import type { Place } from './import-lines.ts'

export interface QueuePlacesDeps {
  readonly store: Pick<Store, 'readQueue'>
  readonly plans: Plans
  readonly clock: Clock
}

/** Places in the queues of accounts for objects that are not imported yet. */
export interface QueuePlaces {
  /** null: the plan has no limit. */
  limitOf(kind: WorkKind, account: Account): number | null
  /** Places that are free. The caller subtracts those that it takes: others have the same count. */
  count(place: Place, account: Account, limit: number): Promise<{ left: number }>
  /** The object has a place, which a count of the queue does not show until it is imported. */
  grant(commandId: string, place: Place): void
  isGranted(commandId: string): boolean
  /** The row is there, or the object is gone. */
  forget(commandId: string): void
  forgetOld(): void
}

/** A count of a queue is used for this long. */
const rememberMs = 1_000
const longestGrantMs = 60_000

export function createQueuePlaces({ store, plans, clock }: QueuePlacesDeps): QueuePlaces {
  const granted = new Map<string, { readonly key: string; readonly sinceMs: number }>()
  /** Shared by all that come while the queue is read: each read alone, they would all see the last place free. */
  const counts = new Map<string, { readonly read: Promise<{ left: number }>; untilMs: number }>()

  return {
    limitOf(kind, account) {
      const plan = planOf(plans, account)
      return kind === 'FfmpegCommand' ? plan.maxQueued : plan.maxQueuedFiles
    },
    async count(place, account, limit) {
      const key = keyOf(place)
      const nowMs = clock.monotonicMs()
      const known = counts.get(key)
      if (known !== undefined && known.untilMs > nowMs) return known.read
      const underWay = [...granted.values()].filter((each) => each.key === key).length
      const read = store
        .readQueue(account.accountId, listOf(place.kind))
        .then(({ queued }) => ({ left: limit - queued - underWay }))
      const counted = { read, untilMs: nowMs + rememberMs }
      counts.set(key, counted)
      try {
        return await read
      } catch (error) {
        if (counts.get(key) === counted) counts.delete(key)
        throw error
      }
    },
    grant(commandId, place) {
      granted.set(commandId, { key: keyOf(place), sinceMs: clock.monotonicMs() })
    },
    isGranted: (commandId) => granted.has(commandId),
    forget: (commandId) => void granted.delete(commandId),
    forgetOld() {
      const nowMs = clock.monotonicMs()
      for (const [key, { untilMs }] of counts) if (untilMs <= nowMs) counts.delete(key)
      // One whose object went at this moment would take a place for good.
      for (const [commandId, { sinceMs }] of granted) {
        if (sinceMs + longestGrantMs <= nowMs) granted.delete(commandId)
      }
    },
  }
}

export function listOf(kind: WorkKind): 'commands' | 'files' {
  return kind === 'FfmpegCommand' ? 'commands' : 'files'
}
