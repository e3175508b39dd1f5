import { backoff } from '../../common/runtime/backoff.ts'
import { compareVersions } from '../../common/kubernetes/api-conventions.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { CachedObject } from './object-cache.ts'
import type { Place } from './watched-objects.ts'

/**
 * Remembers our last writes, because a cache that has not seen them yet is stale: acting on it runs
 * finished steps a second time. Versions of a kind grow, so a cached copy is current as soon as it
 * is not older than the version that our write returned.
 */
export interface OwnWrites {
  /** After each create and patch, with the metadata that came back. */
  wrote(kind: string, metadata: Written): void
  /**
   * Null if the copy may be acted upon; otherwise the milliseconds after which to check again.
   * After some seconds of waiting, read the object itself: its event may be lost.
   */
  waitFor(kind: string, place: Place, cached: CachedObject['metadata'] | null): number | null
  /** The object with this uid is gone. */
  forget(kind: string, place: Place, uid: string): void
  size(): number
}

type Written = Pick<ObjectMeta, 'namespace' | 'name' | 'uid' | 'resourceVersion'>

interface Write {
  readonly uid: string
  readonly version: string
  readonly atMs: number
  waits: number
}

/** Milliseconds. */
const waits = { first: 100, longest: 5_000, jitter: [1, 1] } as const
/**
 * Longer than the longest backoff of a key, so that a key never runs after its guard has been
 * evicted.
 */
const keptMs = 20 * 60_000

export function createOwnWrites({ clock }: { readonly clock: Clock }): OwnWrites {
  /** Sorted by time: a new write goes to the end. */
  const writes = new Map<string, Write>()

  return {
    wrote(kind, { namespace = '', name, uid, resourceVersion: version }) {
      const key = keyOf(kind, { namespace, name })
      const known = writes.get(key)
      if (known !== undefined && compareVersions(version, known.version) < 0) return
      writes.delete(key)
      writes.set(key, { uid, version, atMs: clock.monotonicMs(), waits: 0 })
      dropOld()
    },
    waitFor(kind, place, cached) {
      const key = keyOf(kind, place)
      const write = writes.get(key)
      if (write === undefined) return null
      const isOld = clock.monotonicMs() - write.atMs >= keptMs
      const isCurrent =
        cached !== null && compareVersions(cached.resourceVersion, write.version) >= 0
      if (isOld || isCurrent) {
        writes.delete(key)
        return null
      }
      write.waits += 1
      return backoff(waits, write.waits, 0)
    },
    forget(kind, place, uid) {
      const key = keyOf(kind, place)
      if (writes.get(key)?.uid === uid) writes.delete(key)
    },
    size: () => writes.size,
  }

  function dropOld(): void {
    for (const [key, { atMs }] of writes) {
      if (clock.monotonicMs() - atMs < keptMs) return
      writes.delete(key)
    }
  }
}

function keyOf(kind: string, { namespace, name }: Place): string {
  return `${kind}/${namespace}/${name}`
}
