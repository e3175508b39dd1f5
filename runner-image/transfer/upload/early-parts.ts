import type { GrowthForecast } from './growth-forecast.ts'

/** S3's own limit for every part but the last: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const leastPartBytes = 5 * 1024 * 1024

/**
 * Stores close a connection that is silent for about 20 s, and an upload that waits for its turn on
 * the link sends nothing meanwhile: so a part is begun before it is full only if it soon will be.
 */
const fillsWithinMs = 5_000
/** For a file of unknown final length. */
const unknownEndMs = 1_000
/** Most outputs stay below it. */
const causeBytes = 1024 * 1024

type Forecast = Pick<GrowthForecast, 'msUntil' | 'endsAt'>

/**
 * Whether to open an upload in parts for a file that has `knownBytes`.
 * @param least bytes at which a part of it can be complete
 */
export function isWorthwhile(least: number, knownBytes: number, forecast: Forecast): boolean {
  if (knownBytes >= least) return true
  if (knownBytes < causeBytes) return false
  const end = forecast.endsAt()
  if (end !== null && end < 1.25 * least) return false
  return forecast.msUntil(least) <= (end === null ? unknownEndMs : fillsWithinMs)
}

/** Whether to begin to send a part that ends at `end` and is not full yet. */
export function isSoonFull(end: number, forecast: Forecast): boolean {
  const last = forecast.endsAt()
  // A part that holds the end of the file has to be sent again, with its final length.
  if (last !== null && last < 0.98 * end) return false
  return forecast.msUntil(end) <= fillsWithinMs
}
