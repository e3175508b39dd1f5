const steps = [
  [60, 1, 's'],
  [3_600, 60, 'min'],
  [86_400, 3_600, 'h'],
  [Infinity, 86_400, 'd'],
] as const

/** Time since then in its largest unit: "31 s", "2 min". */
export function age(then: string, now: number): string {
  return wholeUnits(Math.max(0, (now - Date.parse(then)) / 1_000))
}

function wholeUnits(seconds: number): string {
  const [, unit, name] = steps.find(([below]) => seconds < below) ?? steps[3]
  return `${Math.floor(seconds / unit)} ${name}`
}

/** A duration with the precision that its size deserves: "< 0.1 s", "0.4 s", "12 s", "2 min 5 s". */
export function duration(seconds: number): string {
  if (seconds > 0 && seconds < 0.05) return '< 0.1 s'
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's')
  const minutes = Math.round(whole / 60)
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function joined(large: number, largeName: string, small: number, smallName: string): string {
  return small === 0 ? `${large} ${largeName}` : `${large} ${largeName} ${small} ${smallName}`
}

export function secondsBetween(from: string, to: string | number): number {
  const end = typeof to === 'number' ? to : Date.parse(to)
  return Math.max(0, (end - Date.parse(from)) / 1_000)
}

/**
 * Seconds from the start of a runner to the end, without the wait: the one meaning of "took".
 * @returns null before the end, and for a command that never started
 */
export function secondsTaken(times: {
  readonly started_at?: string | null
  readonly finished_at: string | null
}): number | null {
  const { started_at: from = null, finished_at: to } = times
  return from === null || to === null ? null : secondsBetween(from, to)
}

/** MB of 1,048,576 bytes with one decimal, as the API counts. */
export function megabytes(mbytes: number): string {
  return mbytes > 0 && mbytes < 0.05
    ? `${(mbytes * 1_024).toFixed(1)} KB`
    : `${mbytes.toFixed(1)} MB`
}
