/** Six digits, as promised, though JavaScript's dates carry only three. */
export function timestamp(time: Date): string {
  return time.toISOString().replace('Z', '000Z')
}

export function timestampOrNull(time: Date | null): string | null {
  return time === null ? null : timestamp(time)
}
