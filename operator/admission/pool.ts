/** What all accounts take from: vCPUs of the cluster, Jobs of commands, Jobs of stored files. */
export interface Pool {
  /** Infinity = no limit. */
  readonly total: number
  /** Only accounts below their share may take it. */
  readonly reserve: number
  used: number
}

/** The part of a pool that one account uses. */
export interface Slice {
  readonly share: number
  used: number
  /** The part of `used` whose commands have not ended. */
  unended: number
}

/**
 * The part of a pool in reserve: `reservedShare` of it and at least the room for a new account, and at
 * most the half; 0 = none.
 */
export function poolOf(total: number | null, reservedShare: number, newcomer: number): Pool {
  if (total === null) return { total: Infinity, reserve: 0, used: 0 }
  const reserve =
    reservedShare === 0 ? 0 : Math.min(total / 2, Math.max(total * reservedShare, newcomer))
  return { total, reserve, used: 0 }
}

/** The account's part of the pool without its reserve, by weight. */
export function sliceOf(pool: Pool, weight: number, weights: number): Slice {
  return { share: ((pool.total - pool.reserve) * weight) / weights, used: 0, unended: 0 }
}

/**
 * An account may always start its first command: each share may be smaller than any command. One that has
 * ended is not waited for, or an account that sends one after the other would wait a second or two for each pod's end.
 */
export function isBelowShare({ share, used, unended }: Slice, amount: number): boolean {
  return unended === 0 || used + amount <= share
}

/** `full`: it does not fit at all; `reserved`: the rest is kept for accounts below their share. */
export type Fit = 'fits' | 'full' | 'reserved'

export function fitOf(pool: Pool, slice: Slice, amount: number): Fit {
  const free = pool.total - pool.used
  if (amount > free) return 'full'
  return isBelowShare(slice, amount) || amount <= free - pool.reserve ? 'fits' : 'reserved'
}

export function take(pool: Pool, slice: Slice, amount: number, isEnding = false): void {
  pool.used += amount
  slice.used += amount
  if (!isEnding) slice.unended += amount
}
