/** Live commands come before finished ones, so that tidying up never delays a start. */
export type Lane = 'live' | 'finished'

/** Two FIFO queues of keys. */
export interface Lanes {
  put(key: string, lane: Lane): void
  take(key: string, lane: Lane): void
  next(): string | null
  depths(): Readonly<Record<Lane, number>>
}

export function createLanes(): Lanes {
  const live = new Set<string>()
  const finished = new Set<string>()
  const setOf = (lane: Lane): Set<string> => (lane === 'live' ? live : finished)
  return {
    put: (key, lane) => void setOf(lane).add(key),
    take: (key, lane) => void setOf(lane).delete(key),
    next() {
      const set = live.size > 0 ? live : finished
      const [first = null] = set
      if (first !== null) set.delete(first)
      return first
    },
    depths: () => ({ live: live.size, finished: finished.size }),
  }
}
