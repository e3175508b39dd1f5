import { bytesPerMbyte } from '../../common/domain/plans.ts'

/** Six fractional digits; times of the database have microseconds, others milliseconds. */
export function timestamp(time: Date): string {
  return time.toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
}

export function timestampOrNull(time: Date | null): string | null {
  return time === null ? null : timestamp(time)
}

/** To the microsecond. */
export function secondsBetween(from: Date, to: Date): number {
  return (microseconds(to) - microseconds(from)) / 1_000_000
}

function microseconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000_000 + Number(timestamp(time).slice(-7, -1))
}

export function mbytes(bytes: number): number {
  return bytes / bytesPerMbyte
}
