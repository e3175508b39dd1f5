import type { Clock } from '../../../../common/runtime/effects.ts'

/** Whether the disk accepts bytes at once, as it does while the kernel has memory for them. */
export interface DiskPace {
  takesAtOnce(): boolean
  /** @throws what `write` throws */
  timed(write: () => void): void
}

/**
 * A write that is a copy within memory ends sooner than a thread starts for it. Once the kernel
 * makes writers wait for the disk (up to 200 ms each, `MAX_PAUSE` in mm/page-writeback.c), threads
 * write for a while: this process has other connections, and reports to send.
 */
export function createDiskPace(clock: Clock): DiskPace {
  let busyUntilMs = -Infinity
  return {
    takesAtOnce: () => clock.monotonicMs() >= busyUntilMs,
    timed(write) {
      const beganMs = clock.monotonicMs()
      write()
      const endedMs = clock.monotonicMs()
      if (endedMs - beganMs > slowMs) busyUntilMs = endedMs + pauseMs
    },
  }
}

/** Half a MiB that only memory takes is there after 0.2 ms. */
const slowMs = 10
const pauseMs = 1_000

const paces = new WeakMap<Clock, DiskPace>()

/** All bodies of a process lie on one disk. */
export function diskPaceOf(clock: Clock): DiskPace {
  const known = paces.get(clock) ?? createDiskPace(clock)
  paces.set(clock, known)
  return known
}
