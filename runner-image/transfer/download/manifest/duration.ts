import type { XmlElement } from './read-xml.ts'

/** Seconds of an XML duration, such as `PT1H2M3.4S`; null without one, and for months and years. */
function durationSeconds(text: string | undefined): number | null {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?)S)?)?$/.exec(
    text?.trim() ?? '',
  )
  if (found === null) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

/** Length of each period: what it says, else up to the start of the next one or to the end of all. */
export function periodSeconds(root: XmlElement, periods: readonly XmlElement[]): (number | null)[] {
  const whole = durationSeconds(root.attributes['mediaPresentationDuration'])
  let start: number | null = 0
  return periods.map(({ attributes }, index) => {
    start = durationSeconds(attributes['start']) ?? start
    const next = periods[index + 1]
    const end = next === undefined ? whole : durationSeconds(next.attributes['start'])
    const between: number | null = end === null || start === null ? null : end - start
    const seconds = durationSeconds(attributes['duration']) ?? between
    start = start === null || seconds === null ? null : start + seconds
    return seconds
  })
}
