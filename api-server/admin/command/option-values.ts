import { AdminError } from './admin-command.ts'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const longestSeconds = 10 * 366 * 86_400

/**
 * @param text `12h`
 * @throws AdminError that names the option
 */
export function secondsIn(option: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = Number(number) * (secondsOf[unit] ?? 0)
  if (seconds > 0 && seconds <= longestSeconds) return seconds
  throw new AdminError(
    `--${option} must be a number with s, m, h or d, at most 10 years; got '${text}'; use 30d`,
  )
}

/** The value of `--limit`. @throws AdminError */
export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1) return limit
  throw new AdminError(`--limit must be an integer from 1 to 9999; got '${text}'`, 2)
}
