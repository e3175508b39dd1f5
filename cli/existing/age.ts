const units = [
  [60, 1, 's'],
  [3_600, 60, 'min'],
  [86_400, 3_600, 'h'],
  [Infinity, 86_400, 'd'],
] as const

/** Time since an instant in its largest unit: `36 s`, `3 h`, `12 d`. */
export function ageOf(time: string, now: Date): string {
  return spanText(now.getTime() - Date.parse(time))
}

/** Time until an instant in its largest unit; `0 s` once it has passed. */
export function timeTo(time: string, now: Date): string {
  return spanText(Date.parse(time) - now.getTime())
}

function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const [, unit, name] = units.find(([below]) => seconds < below) ?? units[3]
  return `${Math.floor(seconds / unit)} ${name}`
}
