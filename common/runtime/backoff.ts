/**
 * Delay before try `attempt` (from 1): doubling from `baseMs` up to `maxMs`, with full jitter, so
 * that many which failed together do not come back together.
 */
export function backoffMs(
  random: () => number,
  attempt: number,
  limits: { baseMs: number; maxMs: number },
): number {
  return random() * Math.min(limits.maxMs, limits.baseMs * 2 ** (attempt - 1))
}
