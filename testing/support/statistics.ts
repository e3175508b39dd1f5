/**
 * The value below which the given part of all values lies, by the nearest rank: always one that was
 * measured. NaN of no values.
 * @param part from 0 to 1
 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil(part * sorted.length))
  return sorted[rank - 1] ?? Number.NaN
}

/** The middle value, or the mean of the two in the middle. NaN of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * Interval that holds the true median with 95 % confidence, by the percentile bootstrap: medians of samples
 * drawn from the values with replacement.
 * @param random from 0 up to 1
 */
export function medianInterval(
  values: readonly number[],
  random: () => number,
): { readonly low: number; readonly high: number } {
  const medians = Array.from({ length: resamples }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)),
  )
  return { low: percentile(medians, 0.025), high: percentile(medians, 0.975) }
}

/**
 * Interval that holds `of` of the first values divided by `of` of the second with 95 % confidence, by the
 * percentile bootstrap: each side is resampled by itself.
 * @param of e.g. a percentile
 * @param random from 0 up to 1
 */
export function ratioInterval(
  values: readonly number[],
  base: readonly number[],
  of: (values: readonly number[]) => number,
  random: () => number,
): { readonly low: number; readonly high: number } {
  const resampled = (from: readonly number[]): number =>
    of(from.map(() => from[Math.floor(random() * from.length)] ?? Number.NaN))
  const ratios = Array.from({ length: resamples }, () => resampled(values) / resampled(base))
  return { low: percentile(ratios, 0.025), high: percentile(ratios, 0.975) }
}

const resamples = 2_000
