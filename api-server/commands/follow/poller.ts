import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'

export interface Poll {
  /** Time in ms until the read. */
  readonly delayMs: number
  readonly read: () => Promise<void>
}

/** Reads the database periodically while clients follow its rows. */
export interface Poller {
  /**
   * Call it when there is a new follower; it has no effect while a read is scheduled or under way.
   * @param delayMs in place of that of the next poll
   */
  schedule(delayMs?: number): void
}

interface PollerDeps {
  /** Rows that are followed, for the log. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  /** @returns null while nothing is followed */
  readonly next: () => Poll | null
}

export function createPoller({ name, clock, logger, next }: PollerDeps): Poller {
  let isScheduled = false
  let isUnavailable = false
  return { schedule }

  function schedule(delayMs?: number): void {
    const poll = isScheduled ? null : next()
    if (poll === null) return
    isScheduled = true
    clock.schedule(delayMs ?? poll.delayMs, () => {
      void attempt(poll).finally(() => {
        isScheduled = false
        schedule()
      })
    })
  }

  async function attempt({ read }: Poll): Promise<void> {
    try {
      await read()
      isUnavailable = false
    } catch (error) {
      // Logged once per outage, since reads are frequent.
      if (!isUnavailable) logger.warn(`cannot follow ${name} now`, { error })
      isUnavailable = true
    }
  }
}
