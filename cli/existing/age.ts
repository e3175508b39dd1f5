const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Time since an instant in one unit: `36s`, `3h`, `12d`. */
export function ageOf(time: string, now: Date): string {
  return spanText(now.getTime() - Date.parse(time))
}

/** Time until an instant in one unit; `0s` once it has passed. */
export function timeTo(time: string, now: Date): string {
  return spanText(Date.parse(time) - now.getTime())
}

function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const [unit = 's'] = ['d', 'h', 'm'].filter((each) => seconds >= 2 * (secondsOf[each] ?? 0))
  return `${Math.floor(seconds / (secondsOf[unit] ?? 1))}${unit}`
}
