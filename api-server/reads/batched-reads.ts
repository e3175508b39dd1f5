/**
 * Reads many keys by one call. Keys that come while a read is in flight are gathered for the next one, so the load on the
 * database does not grow with the number of clients, and no value is from before its call.
 * @returns what `readAll` returns for all keys of the batch
 */
export function createBatchedReads<Key, Found>(
  readAll: (keys: readonly Key[]) => Promise<Found>,
): (key: Key) => Promise<Found> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: { readonly keys: Key[]; readonly found: Promise<Found> } | null = null

  return (key) => {
    next ??= begin()
    next.keys.push(key)
    return next.found
  }

  function begin() {
    const keys: Key[] = []
    const found = underWay.then(() => {
      next = null
      return readAll(keys)
    })
    underWay = found.catch(() => undefined)
    return { keys, found }
  }
}
