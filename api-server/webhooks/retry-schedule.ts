/** From a failed attempt to the next: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. */
const waitsSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/**
 * No jitter, because the times are promised; ends of commands spread the attempts by themselves.
 * @param failed attempts so far, at least 1
 * @returns seconds to wait, null: it is given up
 */
export function nextAttemptInSeconds(failed: number): number | null {
  return waitsSeconds[failed - 1] ?? null
}
