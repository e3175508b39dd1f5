/**
 * Live commands come before finished ones, so that tidying up never delays a start, and both before those that only
 * report progress, of which thousands may be due every second.
 */
export const lanes = ['live', 'finished', 'progress'] as const
export type Lane = (typeof lanes)[number]

/** FIFO queues of keys, the most urgent first. */
export interface Lanes {
  put(key: string, lane: Lane): void
  take(key: string, lane: Lane): void
  next(): string | null
  depths(): Readonly<Record<Lane, number>>
}

/** One key in this many is of the last lane that has one, so that no lane stops while others are busy. */
const lastLaneEvery = 10

export function createLanes(): Lanes {
  const keys = { live: new Set<string>(), finished: new Set<string>(), progress: new Set<string>() }
  let taken = 0
  return {
    put: (key, lane) => void keys[lane].add(key),
    take: (key, lane) => void keys[lane].delete(key),
    next() {
      const busy = lanes.filter((lane) => keys[lane].size > 0)
      taken += 1
      const lane = taken % lastLaneEvery === 0 ? busy.at(-1) : busy[0]
      if (lane === undefined) return null
      const [first = null] = keys[lane]
      if (first !== null) keys[lane].delete(first)
      return first
    },
    depths: () => ({
      live: keys.live.size,
      finished: keys.finished.size,
      progress: keys.progress.size,
    }),
  }
}

/** Whether keys of the one lane run before those of the other. */
export function isBefore(one: Lane, other: Lane): boolean {
  return lanes.indexOf(one) < lanes.indexOf(other)
}
