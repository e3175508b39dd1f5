/** Effect of `-loglevel` on a stored log. */
export type WantedLog = {
  /** FFmpeg's own number: 16 error, 24 warning, 32 info. */
  level: number
  /** Each line keeps its level, as `[error]`. */
  isMarked: boolean
}

const numbers: ReadonlyMap<string, number> = new Map([
  ['quiet', -8],
  ['panic', 0],
  ['fatal', 8],
  ['error', 16],
  ['warning', 24],
  ['info', 32],
  ['verbose', 40],
  ['debug', 48],
  ['trace', 56],
])

/** FFmpeg's default, and what the service itself runs it with. */
export const usualLevel = 32

export function levelNumber(name: string): number {
  return numbers.get(name) ?? usualLevel
}

/** Reads the value of `-loglevel`: `error`, `32`, `level+verbose`, `repeat+warning`. */
export function wantedLog(value: string | null): WantedLog {
  const parts = (value ?? '').trim().split('+')
  const last = parts.at(-1) ?? ''
  const level = /^-?\d+$/.test(last) ? Number(last) : levelNumber(last)
  return { level, isMarked: parts.includes('level') }
}
