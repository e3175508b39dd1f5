import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import type { StoredObject } from '../../common/storage/object-store.ts'
import type { ControllerDeps } from './controller-deps.ts'

/** A bucket in memory that can be unavailable. */
export function fakeStorage({
  swept,
  stored,
  kept,
  outage,
}: {
  readonly swept: string[]
  /** Objects in the bucket, by key. */
  readonly stored: ReadonlyMap<string, StoredObject>
  /** Objects that the operator itself has put. */
  readonly kept: Map<string, Uint8Array>
  readonly outage: { readonly storage: boolean }
}): ControllerDeps['storage'] {
  return {
    deletePrefix: async (prefix) => swept.push(prefix),
    abortMultipart: async () => undefined,
    abortMultiparts: async () => undefined,
    head: async (key) => stored.get(key) ?? null,
    list: async () => new Map(stored),
    async deleteObjects(keys) {
      swept.push(...keys)
      return new Map()
    },
    putBytes: async ({ key, bytes }) => {
      if (outage.storage) throw new ObjectStoreUnavailable(new Error('away'))
      kept.set(key, bytes)
    },
    readBytes: async ({ key }) => {
      if (outage.storage) throw new ObjectStoreUnavailable(new Error('away'))
      return kept.get(key) ?? null
    },
  }
}
