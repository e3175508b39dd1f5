import { browserEffects } from '../../cli/client/browser-effects.ts'

export interface ReadSoon {
  /** Reads after so many milliseconds, unless a read is due already: events in a burst lead to one request. */
  soon(ms: number): void
  close(): void
}

export function createReadSoon(read: () => Promise<void>): ReadSoon {
  let cancel: (() => void) | null = null
  return {
    soon(ms) {
      cancel ??= browserEffects.clock.schedule(ms, () => {
        cancel = null
        void read()
      })
    },
    close: () => cancel?.(),
  }
}
