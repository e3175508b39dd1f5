/** Resources of all accounts: vCPUs of the cluster, Jobs of commands, Jobs of stored files. */
export interface Pool {
  /** Infinity = no limit. */
  readonly total: number
  readonly reserve: ReserveBounds
  used: number
}

/** Reserve of a pool, which only accounts below their share may take, while there is such an account. */
export interface ReserveBounds {
  readonly least: number
  readonly most: number
}

/** The part of a pool that one account uses. */
export interface Slice {
  readonly share: number
  used: number
  /** The part of `used` whose commands have not ended. */
  unended: number
}

/** @param total null = no limit */
export function poolOf(total: number | null, reserve: ReserveBounds): Pool {
  return { total: total ?? Infinity, reserve, used: 0 }
}

/** @param claim the most that an account below its share may take; 0 = none claims any */
export function reserveFor({ reserve: { least, most } }: Pool, claim: number): number {
  return claim === 0 ? 0 : Math.min(most, Math.max(least, claim))
}

/** The account's part, by weight, of the pool without the reserve for accounts that take no part. */
export function sliceOf(shared: number, weight: number, weights: number): Slice {
  return { share: (shared * weight) / weights, used: 0, unended: 0 }
}

/**
 * An account may always start its first command: each share may be smaller than any command. One that has
 * ended is not waited for, or an account that sends one after the other would wait a second or two for each pod's end.
 */
export function isBelowShare({ share, used, unended }: Slice, amount: number): boolean {
  return unended === 0 || used + amount <= share
}

/** How much of an amount the account may take without going beyond its share. */
export function roomBelowShare(slice: Slice, amount: number): number {
  if (isBelowShare(slice, amount)) return amount
  return Math.max(0, Math.floor(slice.share - slice.used))
}

/** `full`: it does not fit at all; `reserved`: the rest is kept for accounts below their share. */
export type Fit = 'fits' | 'full' | 'reserved'

/** @param claim as in `reserveFor`, of the other accounts; only read where it decides */
export function fitOf(pool: Pool, slice: Slice, amount: number, claim: () => number): Fit {
  const free = pool.total - pool.used
  if (amount > free) return 'full'
  if (isBelowShare(slice, amount)) return 'fits'
  return amount <= free - reserveFor(pool, claim()) ? 'fits' : 'reserved'
}

export function take(pool: Pool, slice: Slice, amount: number, isEnding = false): void {
  pool.used += amount
  slice.used += amount
  if (!isEnding) slice.unended += amount
}
