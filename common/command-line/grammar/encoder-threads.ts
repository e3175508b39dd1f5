/** Highest level of parallelism that SVT-AV1 knows. */
export const highestParallelism = 6

const names =
  'threads|lookahead[-_]threads|frame[-_]threads|pools|numa[-_]pools|lp|thread[-_]frames|thread[-_]rows|owf'

/** Parameters of encoders that are numbers of threads, beside FFmpeg's own `-threads`. */
export const threadParameters = new RegExp(`^(?:${names})$`)

const written = new RegExp(`(^|:)(\\s*(${names})\\s*=)([^:]*)`, 'g')

/** @param text part of an encoder's parameters: `keyint=60:threads=128` */
export function withClampedThreads(text: string, vcpuCount: number): string {
  return text.replace(written, (_, before: string, key: string, name: string, number: string) => {
    const limit = name === 'lp' ? Math.min(vcpuCount, highestParallelism) : vcpuCount
    // derived from what is held to the limit already
    const isDerived = /^(?:lookahead|frame)/.test(name) && /^\s*(?:0|auto)\s*$/.test(number)
    return `${before}${key}${isDerived ? number : clamped(number, limit)}`
  })
}

/**
 * The customer's own number if it is within the limit. FFmpeg takes expressions for numbers
 * (`2*512`): a value that is not a plain number becomes the limit.
 */
export function clamped(value: string, limit: number): string {
  const isWithin = /^[1-9]\d{0,9}$/.test(value) && Number(value) <= limit
  return isWithin ? value : String(limit)
}
