import type { CachedObject } from './object-cache.ts'
import type { Reflector } from './reflector.ts'

/** Key of an object. */
export interface Place {
  readonly namespace: string
  readonly name: string
}

/** The objects of one kind in all namespaces that are watched. */
export interface WatchedObjects<T extends CachedObject> extends Pick<
  Reflector<T>,
  'run' | 'synced' | 'isSynced' | 'list' | 'byIndex' | 'msSinceContact'
> {
  get(place: Place): T | null
  /**
   * Same as `Reflector.refresh`; null for a namespace that is not watched.
   * @throws KubeError
   */
  refresh(place: Place, signal?: AbortSignal): Promise<T | null>
}

/** @param reflectors of one kind, by namespace */
export function watchedObjects<T extends CachedObject>(
  reflectors: ReadonlyMap<string, Reflector<T>>,
): WatchedObjects<T> {
  const all = [...reflectors.values()]
  return {
    async run(signal) {
      await Promise.all(all.map((reflector) => reflector.run(signal)))
    },
    synced: Promise.all(all.map((reflector) => reflector.synced)).then(() => undefined),
    isSynced: () => all.every((reflector) => reflector.isSynced()),
    get: ({ namespace, name }) => reflectors.get(namespace)?.get(name) ?? null,
    list: () => all.flatMap((reflector) => reflector.list()),
    byIndex: (index, key) => all.flatMap((reflector) => reflector.byIndex(index, key)),
    async refresh({ namespace, name }, signal) {
      return (await reflectors.get(namespace)?.refresh(name, signal)) ?? null
    },
    msSinceContact: () => Math.max(...all.map((reflector) => reflector.msSinceContact())),
  }
}
