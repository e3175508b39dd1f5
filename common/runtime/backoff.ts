export interface Backoff {
  /** Wait after the first failure, in any unit. */
  readonly first: number
  readonly longest: number
  /** Range of the random factor of each wait. Callers that failed together must not retry together. */
  readonly jitter: readonly [from: number, to: number]
}

export const fullJitter = [0, 1] as const
export const halfJitter = [0.5, 1] as const

/**
 * Exponential backoff with jitter, in the unit of `first`.
 * @param failures in a row, from 1
 * @param random in [0, 1)
 */
export function backoff(
  { first, longest, jitter: [from, to] }: Backoff,
  failures: number,
  random: number,
): number {
  // Far above each limit; 2 ** 1024 would be Infinity.
  const doublings = Math.min(failures - 1, 30)
  return Math.min(longest, first * 2 ** doublings) * (from + (to - from) * random)
}
