import { DatabaseUnavailable } from '../../../common/store/health.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'

/** Outages of the database, and replies that get lost after the commit. */
export interface DatabaseFaults {
  awayFor(ms: number): void
  loseReplies(count: number): void
  /** Hooks of the store. */
  before(): void
  after(method: keyof LifecycleStore): void
}

export function createDatabaseFaults(clock: Clock): DatabaseFaults {
  let awayUntilMs = 0
  let repliesToLose = 0
  return {
    awayFor(ms) {
      awayUntilMs = Math.max(awayUntilMs, clock.monotonicMs() + ms)
    },
    loseReplies(count) {
      repliesToLose += count
    },
    before() {
      if (clock.monotonicMs() < awayUntilMs) throw new DatabaseUnavailable(new Error('away'))
    },
    after(method) {
      if (repliesToLose === 0 || isPolled(method)) return
      repliesToLose -= 1
      throw new DatabaseUnavailable(new Error('the reply got lost'))
    },
  }
}

/** Some of these run every 100 ms; a lost reply should hit a statement that changes something. */
function isPolled(method: keyof LifecycleStore): boolean {
  return /^(find|list|ping|gauges)/.test(method)
}
