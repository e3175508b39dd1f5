import { duration, megabytes } from '../parts/relative-time.ts'

/** MB, and GB from 1,024 on, with one decimal. */
export function gigabytes(mbytes: number): string {
  if (mbytes === 0) return '0 MB'
  if (mbytes < 1_024) return megabytes(mbytes)
  const gbytes = mbytes / 1_024
  return `${gbytes >= 1_000 ? Math.round(gbytes).toLocaleString('en-GB') : gbytes.toFixed(1)} GB`
}

/** A duration without a decimal where it is zero, and in days where it is long. */
export function durationWords(seconds: number): string {
  if (seconds === 0) return '0 s'
  return seconds < 48 * 3_600
    ? duration(seconds)
    : `${(seconds / 86_400).toLocaleString('en-GB', { maximumFractionDigits: 1 })} days`
}

/** "1.3 of 50.0 GB"; a quota that is null has no end. */
export function share(used: number, limit: number | null): string {
  return limit === null ? gigabytes(used) : `${gigabytes(used)} of ${gigabytes(limit)}`
}

/** Whole days until then, in words. */
export function daysLeft(end: string, nowMs: number): string {
  const days = Math.ceil((Date.parse(end) - nowMs) / 86_400_000)
  return days <= 1 ? 'within a day' : `in ${days} days`
}
