/** The text of Kubernetes' MicroTime: RFC 3339 with exactly six digits of a second. */
export function microTime(time: Date): string {
  return time.toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
}
