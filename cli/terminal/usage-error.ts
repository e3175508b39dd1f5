/** The command line is wrong: exit code 2, with a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a whole number, not '${text}'`)
}
