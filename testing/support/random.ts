/** Pseudo-random numbers from a seed: the same seed gives the same run. */
export interface Random {
  /** Uniform in [0, 1). */
  readonly next: () => number
  between(low: number, high: number): number
  /** A whole number, both ends included. */
  integer(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A source of its own: what one part draws does not shift what another one gets. */
  fork(name: string): Random
}

export function createRandom(seed: string): Random {
  const next = generator(hashOf(seed))
  const random: Random = {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick(from) {
      const picked = from[Math.floor(next() * from.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  }
  return random
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

/** Mulberry32: short, fast, and good enough to choose faults by. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
