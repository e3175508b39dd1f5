import { createHash } from 'node:crypto'

/** Extent of the tests: `npm test` proves each mechanism once, `npm run test:full` runs every case. */
type Scale = 'smoke' | 'full'

/**
 * How much of a costly test runs, from `TEST_SCALE`: `smoke` (the default) proves each mechanism once, `full` takes the
 * durations and counts at which the figures of the documentation were measured.
 */
export function scaled<T>(sizes: { readonly smoke: T; readonly full: T }): T {
  return sizes[scale()]
}

/**
 * All items at scale `full`; otherwise about one in `every`, and the first `least` of each theme at least. The hash of the
 * name chooses, so that a new item does not change which others run.
 */
export function sampled<T>(
  items: readonly T[],
  { every, least = 0, nameOf, themeOf = () => '' }: Sampling<T>,
): T[] {
  if (scale() === 'full') return [...items]
  const taken = new Map<string, number>()
  const byHash = items.toSorted((one, other) => hash(nameOf(one)) - hash(nameOf(other)))
  const chosen = new Set(
    byHash.filter((item) => {
      const theme = themeOf(item)
      const count = taken.get(theme) ?? 0
      const isChosen = count < least || hash(nameOf(item)) % every === 0
      if (isChosen) taken.set(theme, count + 1)
      return isChosen
    }),
  )
  return items.filter((item) => chosen.has(item))
}

export interface Sampling<T> {
  readonly every: number
  readonly least?: number
  readonly nameOf: (item: T) => string
  readonly themeOf?: (item: T) => string
}

function scale(): Scale {
  const wanted = process.env['TEST_SCALE'] || 'smoke'
  if (wanted !== 'smoke' && wanted !== 'full') {
    throw new Error(`TEST_SCALE must be smoke or full; got '${wanted}'`)
  }
  return wanted
}

function hash(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE()
}
