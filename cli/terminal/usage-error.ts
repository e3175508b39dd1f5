/** The command line is wrong: exit code 2, with a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a whole number, not '${text}'`)
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** @param text `2h` */
export function spanSeconds(option: string, text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const seconds = secondsOf[unit]
  if (count !== undefined && seconds !== undefined) return seconds * Number(count)
  throw new UsageError(`--${option} takes a time such as 30m, 2h or 7d, not '${text}'`)
}

/** Most items of a list, as the API has it. */
const mostListed = 1_000

/** The value of `--limit` of a list. */
export function listLimit(text: string): number {
  const limit = wholeNumber('limit', text)
  if (limit >= 1 && limit <= mostListed) return limit
  throw new UsageError(`--limit takes a number from 1 to ${mostListed}, not ${text}`)
}
