const clock = /^(-?)(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d*)?)$/
const plain = /^(-?)(\d+(?:\.\d*)?|\.\d+)(s|ms|us)?$/

const scale = { s: 1, ms: 1e-3, us: 1e-6 }

/**
 * Seconds in FFmpeg's syntax for durations: `90`, `1:30`, `00:01:30.5`, `200ms`; null for anything
 * else.
 */
export function secondsOfTimeText(text: string): number | null {
  const trimmed = text.trim()
  const [, clockSign, hours = '0', minutes = '0', rest] = clock.exec(trimmed) ?? []
  if (rest !== undefined) {
    return signed(clockSign, Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
  }
  const [, sign, number, unit] = plain.exec(trimmed) ?? []
  if (number === undefined) return null
  return signed(sign, Number(number) * (unit === 'ms' || unit === 'us' ? scale[unit] : scale.s))
}

function signed(sign: string | undefined, seconds: number): number {
  return sign === '-' ? -seconds : seconds
}
