/**
 * @param nowMs of a monotonic clock
 * @returns whether the last true answer is a minute old: an outage of an hour is a log line a minute
 */
export function createOnceAMinute(nowMs: () => number): () => boolean {
  let lastMs = -Infinity
  return () => {
    if (nowMs() - lastMs < 60_000) return false
    lastMs = nowMs()
    return true
  }
}
