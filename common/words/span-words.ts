const units = [
  [60, 1, 's'],
  [3_600, 60, 'min'],
  [86_400, 3_600, 'h'],
  [Infinity, 86_400, 'd'],
] as const

/** A time span in its largest unit: `36 s`, `3 h`, `12 d`; `0 s` for one below zero. */
export function spanWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const [, unit, name] = units.find(([below]) => seconds < below) ?? units[3]
  return `${Math.floor(seconds / unit)} ${name}`
}
