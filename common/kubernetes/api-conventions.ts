/** The text of Kubernetes' MicroTime: RFC 3339 with exactly six digits of a second. */
export function microTime(time: Date): string {
  return time.toISOString().replace(/\.(\d{3})Z$/, '.$1000Z')
}

/**
 * Compares resourceVersions: negative where `one` is older. They are decimal numbers of any length
 * and comparable within a kind (official since Kubernetes 1.35, true before).
 */
export function compareVersions(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : one === other ? 0 : 1
}
