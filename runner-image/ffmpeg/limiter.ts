/** Runs at most `slots` tasks at a time, the others in the order in which they came. */
export function createLimiter(slots: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= slots) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    running += 1
    try {
      return await task()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}
