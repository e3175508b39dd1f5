/** Seconds of an XML duration, such as `PT1H2M3.4S`; null without one, and for months and years. */
export function durationSeconds(text: string | undefined): number | null {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?)S)?)?$/.exec(
    text?.trim() ?? '',
  )
  if (found === null) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}
