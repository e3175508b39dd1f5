import type { Clock } from '../../../common/runtime/effects.ts'

/** Extrapolates the growth of a file from its growth so far. */
export interface GrowthForecast {
  /** @param fraction how much of it is written, up to 1, as last reported; null = unknown */
  see(bytes: number, fraction: number | null): void
  /** By its growth of the last second; Infinity if it does not grow, or too little is known. */
  msUntil(bytes: number): number
  /** Bytes that it will have in the end; null = unknown. */
  endsAt(): number | null
}

const windowMs = 1_000
/** Shorter windows are ignored: buffered writes are bursty. */
const leastMs = 150

export function forecastGrowth(clock: Clock): GrowthForecast {
  let seen: { atMs: number; bytes: number }[] = []
  let said: { fraction: number; bytes: number } | null = null
  return {
    see(bytes, fraction) {
      const atMs = clock.monotonicMs()
      // The file was truncated: reset the samples.
      if (bytes < (seen.at(-1)?.bytes ?? 0)) [seen, said] = [[], null]
      seen = [...seen.filter((each) => atMs - each.atMs <= windowMs), { atMs, bytes }]
      // A fraction reported a second ago belongs to the size that the file had then.
      if (fraction !== null && fraction > 0 && fraction !== said?.fraction)
        said = { fraction, bytes }
    },
    msUntil(bytes) {
      const [first, last] = [seen.at(0), seen.at(-1)]
      if (first === undefined || last === undefined) return Infinity
      const grown = last.bytes - first.bytes
      const tookMs = last.atMs - first.atMs
      if (grown <= 0 || tookMs < leastMs) return Infinity
      return (Math.max(0, bytes - last.bytes) * tookMs) / grown
    },
    endsAt: () => (said === null ? null : said.bytes / said.fraction),
  }
}
