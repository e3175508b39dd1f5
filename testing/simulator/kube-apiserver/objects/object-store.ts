import { compareVersions } from '../../../../common/kubernetes/api-conventions.ts'
import { keyOf } from './fake-object.ts'
import { expired } from './refusal.ts'
import type { FakeObject } from './fake-object.ts'

export interface StoreChange {
  readonly version: string
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly kind: string
  /** The last state, under the version of the removal, if the object was DELETED. */
  readonly object: FakeObject
  readonly previous: FakeObject | null
}

/** Objects under one growing version, with the history that watches and exact lists need. */
export interface ObjectStore {
  version(): string
  get(kind: string, namespace: string, name: string): FakeObject | null
  list(kind: string): FakeObject[]
  /** Gives the object its new version. */
  put(object: FakeObject): FakeObject
  remove(object: FakeObject): FakeObject
  /**
   * Sorted by key.
   * @throws Refusal 410 where that history is compacted
   */
  listAt(kind: string, version: string): FakeObject[]
  /** @throws Refusal 410 */
  changesAfter(kind: string, version: string): StoreChange[]
  /** Forgets all history: versions before the present one answer 410. */
  compact(): void
  onChange(listener: (change: StoreChange) => void): () => void
}

export function createObjectStore(): ObjectStore {
  const objects = new Map<string, Map<string, FakeObject>>()
  const listeners = new Set<(change: StoreChange) => void>()
  let history: StoreChange[] = []
  let compactedTo = '100'
  let version = 100n

  return {
    version: () => version.toString(),
    get: (kind, namespace, name) => ofKind(kind).get(keyOf(namespace, name)) ?? null,
    list: (kind) => [...ofKind(kind).values()],
    put(object) {
      const key = keyOf(object.metadata.namespace, object.metadata.name)
      const previous = ofKind(object.kind).get(key) ?? null
      const stored = withNextVersion(object)
      ofKind(object.kind).set(key, stored)
      return record(previous === null ? 'ADDED' : 'MODIFIED', stored, previous)
    },
    remove(object) {
      ofKind(object.kind).delete(keyOf(object.metadata.namespace, object.metadata.name))
      return record('DELETED', withNextVersion(object), object)
    },
    listAt(kind, wanted) {
      requireHistory(wanted)
      const past = new Map(ofKind(kind))
      for (const change of history.toReversed()) {
        if (compareVersions(change.version, wanted) <= 0) break
        if (change.kind === kind) undo(past, change)
      }
      return [...past.entries()].toSorted(byKey).map(([, object]) => object)
    },
    changesAfter(kind, after) {
      requireHistory(after)
      const isWanted = (change: StoreChange): boolean =>
        change.kind === kind && compareVersions(change.version, after) > 0
      return history.filter(isWanted)
    },
    compact() {
      history = []
      compactedTo = version.toString()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function ofKind(kind: string): Map<string, FakeObject> {
    const known = objects.get(kind) ?? new Map<string, FakeObject>()
    objects.set(kind, known)
    return known
  }

  function withNextVersion(object: FakeObject): FakeObject {
    version += 1n
    return { ...object, metadata: { ...object.metadata, resourceVersion: version.toString() } }
  }

  function record(
    type: StoreChange['type'],
    object: FakeObject,
    previous: FakeObject | null,
  ): FakeObject {
    const change = { version: version.toString(), type, kind: object.kind, object, previous }
    history.push(change)
    for (const listener of Array.from(listeners)) listener(change)
    return object
  }

  function requireHistory(wanted: string): void {
    if (compareVersions(wanted, compactedTo) < 0) throw expired(wanted)
  }
}

function undo(past: Map<string, FakeObject>, { object, previous }: StoreChange): void {
  const key = keyOf(object.metadata.namespace, object.metadata.name)
  if (previous === null) past.delete(key)
  else past.set(key, previous)
}

function byKey([one]: [string, FakeObject], [other]: [string, FakeObject]): number {
  return one < other ? -1 : 1
}
