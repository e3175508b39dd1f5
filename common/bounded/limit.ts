/** Runs at most `atOnce` of the given pieces of work at a time, in the order they came. */
export function createLimit(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      // The place goes to the next in line, so the count of running ones stays.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
