import { uuidV7 } from '../../common/ids/uuid-v7.ts'
import type { Clock, Effects } from '../../common/runtime/effects.ts'

/** Clock, randomness and ids of a browser; plain http has no `crypto.randomUUID`. */
export const browserEffects: Pick<Effects, 'clock' | 'random' | 'newId'> = {
  clock: {
    monotonicMs: () => performance.now(),
    wall: () => new Date(),
    schedule(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  } satisfies Clock,
  random: Math.random,
  newId: () => uuidV7(new Date().getTime(), crypto.getRandomValues(new Uint8Array(10))),
}
