/** Runs work on the same key in the order of the calls, and on different keys side by side. */
export type KeyLocks = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Two reconciles of one command in a process would both write from the same view of its resource: the
 * second write is refused at best.
 */
export function createKeyLocks(): KeyLocks {
  const running = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = running.get(key)
    const own = before === undefined ? work() : before.then(work, work)
    running.set(key, own)
    try {
      return await own
    } finally {
      if (running.get(key) === own) running.delete(key)
    }
  }
}
