import type { Clock } from '../../runtime/effects.ts'

/** Times of the latest statements of a process. */
interface StatementTimes {
  record(milliseconds: number): void
  /** 95th percentile in ms over the window, 0 without a statement. */
  p95(): number
}

/**
 * Whether requests are slow; the retention pauses meanwhile. The retention's own statements do not count:
 * they are long, and it would wait for itself.
 */
export function createRequestPace(clock: Pick<Clock, 'monotonicMs'>): {
  readonly times: { record(milliseconds: number, statement: string): void }
  readonly isSlow: () => boolean
} {
  const times = createStatementTimes(clock)
  return {
    times: {
      record(milliseconds, statement) {
        if (!/^(?:retention|deletion)_/.test(statement)) times.record(milliseconds)
      },
    },
    isSlow: () => times.p95() > slowMs,
  }
}

const slowMs = 50
const windowMs = 10_000
const mostSamples = 512

/** Keeps the statements of the last 10 seconds, 512 at most. */
export function createStatementTimes(clock: Pick<Clock, 'monotonicMs'>): StatementTimes {
  const samples: { at: number; milliseconds: number }[] = []
  let next = 0
  return {
    record(milliseconds) {
      samples[next] = { at: clock.monotonicMs(), milliseconds }
      next = (next + 1) % mostSamples
    },
    p95() {
      const from = clock.monotonicMs() - windowMs
      const recent = samples
        .filter(({ at }) => at >= from)
        .map(({ milliseconds }) => milliseconds)
        .toSorted((one, other) => one - other)
      return recent[Math.ceil(recent.length * 0.95) - 1] ?? 0
    },
  }
}
