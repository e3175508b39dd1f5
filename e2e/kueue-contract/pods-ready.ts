import type { Clock } from '../../common/runtime/effects.ts'

/** `waitForPodsReady` of Kueue's configuration. */
export interface PodsReadySettings {
  /** A Job whose pod is not ready so long after it was resumed is evicted. */
  readonly timeoutMs: number
  /** Time after that in which it is not resumed. */
  readonly requeueMs: number
}

/** Which Jobs have waited too long for their pods, by the uid of the Job. A Job that was ready once is left alone. */
export interface PodsReady {
  resumed(uid: string): void
  ready(uid: string): void
  isOverdue(uid: string): boolean
  /** Evicted because it was overdue. */
  timedOut(uid: string): void
  isHeldBack(uid: string): boolean
}

export function createPodsReady(
  clock: Clock,
  { timeoutMs, requeueMs }: PodsReadySettings,
): PodsReady {
  const resumedMs = new Map<string, number>()
  const heldBackFromMs = new Map<string, number>()
  const hasPassed = (sinceMs: number | undefined, ms: number): boolean =>
    sinceMs !== undefined && clock.monotonicMs() - sinceMs >= ms
  return {
    resumed: (uid) => void resumedMs.set(uid, clock.monotonicMs()),
    ready: (uid) => void resumedMs.delete(uid),
    isOverdue: (uid) => hasPassed(resumedMs.get(uid), timeoutMs),
    timedOut(uid) {
      resumedMs.delete(uid)
      heldBackFromMs.set(uid, clock.monotonicMs())
    },
    isHeldBack: (uid) => heldBackFromMs.has(uid) && !hasPassed(heldBackFromMs.get(uid), requeueMs),
  }
}
