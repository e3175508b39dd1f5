import { BoundedMap } from '../../../common/bounded/bounded-map.ts'
import { compareVersions } from '../../../common/kubernetes/api-conventions.ts'
import type { ObjectMeta } from '../../../common/kubernetes/resources/objects.ts'
import { createObjectIndexes } from './object-indexes.ts'
import type { Indexes } from './object-indexes.ts'

/** Fields that a projection has to keep so that its place and age are known. */
export interface CachedObject {
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion'>
}

export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly previous: null }
  | { readonly type: 'modified'; readonly object: T; readonly previous: T }
  /** With the last state known. */
  | { readonly type: 'deleted'; readonly object: T; readonly previous: null }

/** The objects of one kind in one namespace, by name and by computed keys. */
export interface ObjectCache<T extends CachedObject> {
  get(name: string): T | null
  list(): T[]
  byIndex(index: string, key: string): T[]
  size(): number
  /** Null if nothing changes: the version is not newer than the known one of that name. */
  put(object: T): Change<T> | null
  /** Takes the object's last state; null if a newer one of that name is known. */
  remove(object: T): Change<T> | null
  /**
   * Makes the cache equal to a list, but for what is known to be newer than the list.
   * @param listVersion null = the list replaces all entries; older versions win too
   */
  replace(objects: readonly T[], listVersion: string | null): Change<T>[]
}

const maxDeletions = 10_000

export function createObjectCache<T extends CachedObject>(indexes: Indexes<T>): ObjectCache<T> {
  const objects = new Map<string, T>()
  const index = createObjectIndexes(indexes)
  /** Tombstones: a late event must not restore a deleted object. */
  const deletions = new BoundedMap<string, string>(maxDeletions)

  return {
    get: (name) => objects.get(name) ?? null,
    list: () => [...objects.values()],
    byIndex: (name, key) => index.find(name, key),
    size: () => objects.size,
    put(object) {
      const { name, resourceVersion } = object.metadata
      const known = objects.get(name)?.metadata.resourceVersion ?? deletions.get(name)
      if (known !== undefined && !isNewer(resourceVersion, known)) return null
      return set(object)
    },
    remove(object) {
      const { name, resourceVersion } = object.metadata
      const known = objects.get(name)
      if (known !== undefined && isNewer(known.metadata.resourceVersion, resourceVersion))
        return null
      deletions.set(name, resourceVersion)
      if (known === undefined) return null
      unset(known)
      return { type: 'deleted', object, previous: null }
    },
    replace(wanted, listVersion) {
      const names = new Set(wanted.map(({ metadata }) => metadata.name))
      const vanished = [...objects.values()].filter(
        ({ metadata }) => !names.has(metadata.name) && !isAhead(metadata.resourceVersion),
      )
      const changes = [...vanished.map(unset), ...wanted.filter(isNews).map(set)]
      for (const [name, version] of deletions) if (!isAhead(version)) deletions.delete(name)
      return changes

      function isAhead(version: string): boolean {
        return listVersion !== null && isNewer(version, listVersion)
      }

      function isNews({ metadata: { name, uid, resourceVersion } }: T): boolean {
        const known = objects.get(name)?.metadata
        if (known?.resourceVersion === resourceVersion && known.uid === uid) return false
        if (known !== undefined) return !isAhead(known.resourceVersion)
        const deletion = deletions.get(name)
        return listVersion === null || deletion === undefined || isNewer(resourceVersion, deletion)
      }
    },
  }

  function set(object: T): Change<T> {
    const previous = objects.get(object.metadata.name) ?? null
    if (previous !== null) index.remove(previous)
    objects.set(object.metadata.name, object)
    deletions.delete(object.metadata.name)
    index.add(object)
    return previous === null
      ? { type: 'added', object, previous }
      : { type: 'modified', object, previous }
  }

  function unset(object: T): Change<T> {
    index.remove(object)
    objects.delete(object.metadata.name)
    return { type: 'deleted', object, previous: null }
  }
}

function isNewer(one: string, other: string): boolean {
  return compareVersions(one, other) > 0
}
