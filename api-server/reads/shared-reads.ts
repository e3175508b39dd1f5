/**
 * Reads by key. Calls that come while a read of their key is in flight share the next one: no value is from before its
 * call, and the number of reads in flight does not grow with the number of clients.
 */
export function createSharedReads<Value>(): (
  key: string,
  read: () => Promise<Value>,
) => Promise<Value> {
  const inFlight = new Map<string, Read<Value>>()

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const current = read()
    const own: Read<Value> = { current, next: null }
    inFlight.set(key, own)
    const end = () => void (own.next === null && inFlight.delete(key))
    current.then(end, end)
    return current
  }

  return (key, read) => {
    const known = inFlight.get(key)
    if (known === undefined) return begin(key, read)
    const start = () => begin(key, read)
    return (known.next ??= known.current.then(start, start))
  }
}

interface Read<Value> {
  readonly current: Promise<Value>
  /** Begins at the end of the present one. */
  next: Promise<Value> | null
}
