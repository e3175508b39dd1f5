import { browserEffects } from '../../cli/client/browser-effects.ts'
import type { Clock } from '../../common/runtime/effects.ts'

export interface ReadSoon {
  /** Reads after so many milliseconds, unless a read is due already: events in a burst lead to one request. */
  soon(ms: number): void
  /** No read begins after it. */
  close(): void
}

export function createReadSoon(
  read: () => Promise<void>,
  clock: Clock = browserEffects.clock,
): ReadSoon {
  let cancel: (() => void) | null = null
  return {
    soon(ms) {
      cancel ??= clock.schedule(ms, () => {
        cancel = null
        void read()
      })
    },
    close() {
      cancel?.()
      cancel = () => undefined
    },
  }
}
