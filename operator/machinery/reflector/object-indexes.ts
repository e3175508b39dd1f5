/** Keys of an object in each index. */
export type Indexes<T> = Readonly<Record<string, (object: T) => readonly string[]>>

/** Objects by computed keys. */
export interface ObjectIndexes<T> {
  find(index: string, key: string): T[]
  add(object: T): void
  /** @param object the one that was added: an equal copy is not found */
  remove(object: T): void
}

export function createObjectIndexes<T>(indexes: Indexes<T>): ObjectIndexes<T> {
  const indexed = new Map<string, Map<string, Set<T>>>()
  return {
    find: (index, key) => [...(indexed.get(index)?.get(key) ?? [])],
    add(object) {
      for (const [index, keysOf] of Object.entries(indexes)) {
        for (const key of keysOf(object)) bucket(index, key).add(object)
      }
    },
    remove(object) {
      for (const [index, keysOf] of Object.entries(indexes)) {
        for (const key of keysOf(object)) {
          const entries = indexed.get(index)?.get(key)
          entries?.delete(object)
          if (entries?.size === 0) indexed.get(index)?.delete(key)
        }
      }
    },
  }

  function bucket(index: string, key: string): Set<T> {
    const keys = indexed.get(index) ?? new Map<string, Set<T>>()
    indexed.set(index, keys)
    const entries = keys.get(key) ?? new Set<T>()
    keys.set(key, entries)
    return entries
  }
}
