import { isJsonObject } from '../../../common/json/json-object.ts'
import type {
  KubeObject,
  ListQuery,
  Resource,
} from '../../../common/kubernetes/resources/resource.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import { listAll } from './list-all.ts'
import { createObjectCache } from './object-cache.ts'
import type { CachedObject, Change, ObjectCache } from './object-cache.ts'
import type { Indexes } from './object-indexes.ts'

/** The projections of the objects of one kind in one namespace. Each change of it is passed on. */
export interface ObjectCopy<T extends CachedObject> extends Pick<
  ObjectCache<T>,
  'get' | 'list' | 'byIndex' | 'size'
> {
  /** Number of objects that are left out because they could not be read. */
  unreadable(): number
  /**
   * Reads all objects, and leaves the copy as it is.
   * @throws KubeError
   */
  listAll(query: Omit<ListQuery, 'namespace'>): Promise<Listed<T>>
  /**
   * @param listVersion null = the list replaces all entries
   * @returns number of changes
   */
  replace(objects: readonly T[], listVersion: string | null): number
  /** @returns version of the object; null: it is unreadable */
  take(type: 'ADDED' | 'MODIFIED' | 'DELETED', raw: unknown): string | null
  /**
   * Reads one object from the API server and corrects the copy by it.
   * @throws KubeError
   */
  refresh(name: string, signal?: AbortSignal): Promise<T | null>
}

export interface Listed<T> {
  readonly objects: readonly T[]
  readonly resourceVersion: string
}

export interface ObjectCopyDeps<R extends KubeObject, T extends CachedObject> {
  readonly resource: Resource<R>
  readonly namespace: string
  /**
   * Projects an object to the few fields that decide. An object for which it throws is logged and
   * left out.
   */
  readonly project: (object: R) => T
  readonly indexes?: Indexes<T>
  /**
   * Must only enqueue a key: it runs inside the stream, and an error that it throws is logged and
   * dropped.
   */
  readonly onChange: (change: Change<T>) => void
  readonly logger: Logger
}

export function createObjectCopy<R extends KubeObject, T extends CachedObject>(
  deps: ObjectCopyDeps<R, T>,
): ObjectCopy<T> {
  const { resource, namespace, project, logger } = deps
  const cache = createObjectCache<T>(deps.indexes ?? {})
  /** Names of objects that the cache leaves out; '' stands for those without a name. */
  let unreadable = new Set<string>()

  return {
    get: (name) => cache.get(name),
    list: () => cache.list(),
    byIndex: (index, key) => cache.byIndex(index, key),
    size: () => cache.size(),
    unreadable: () => unreadable.size,
    async listAll(query) {
      const before = unreadable
      unreadable = new Set()
      try {
        return await listAll(resource, { ...query, namespace }, read)
      } catch (error) {
        unreadable = before
        throw error
      }
    },
    replace(objects, listVersion) {
      const changes = cache.replace(objects, listVersion)
      changes.forEach(passOn)
      return changes.length
    },
    take(type, raw) {
      const object = read(raw)
      if (object === null) {
        if (type === 'DELETED') unreadable.delete(nameOf(raw))
        return null
      }
      unreadable.delete(object.metadata.name)
      passOn(type === 'DELETED' ? cache.remove(object) : cache.put(object))
      return object.metadata.resourceVersion
    },
    async refresh(name, signal) {
      const before = cache.get(name)
      const options = { lane: 'end', ...(signal === undefined ? {} : { signal }) } as const
      const found = await resource.get(namespace, name, options)
      if (found !== null) passOn(cache.put(project(found)))
      // If the stream has brought a newer version meanwhile, the cache keeps it.
      else if (before !== null) passOn(cache.remove(before))
      return cache.get(name)
    },
  }

  function read(raw: unknown): T | null {
    try {
      return project(resource.parse(raw))
    } catch (error) {
      const name = nameOf(raw)
      unreadable.add(name)
      logger.error('cannot read an object', { name, error })
      return null
    }
  }

  function passOn(change: Change<T> | null): void {
    if (change === null) return
    try {
      deps.onChange(change)
    } catch (error) {
      logger.error('change listener failed', { name: change.object.metadata.name, error })
    }
  }
}

function nameOf(raw: unknown): string {
  const metadata = isJsonObject(raw) ? raw['metadata'] : undefined
  const name = isJsonObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}
