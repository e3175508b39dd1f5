/** The command line is wrong: exit code 2, with a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a whole number, not '${text}'`)
}

/** Most items of a list, as the API has it. */
const mostListed = 1_000

/** The value of `--limit` of a list. */
export function listLimit(text: string): number {
  const limit = wholeNumber('limit', text)
  if (limit >= 1 && limit <= mostListed) return limit
  throw new UsageError(`--limit takes a number from 1 to ${mostListed}, not ${text}`)
}
