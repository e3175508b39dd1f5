import { timeLeftWords } from '../time-left.ts'

/** Bytes that had been sent at a time. */
interface Sample {
  readonly ms: number
  readonly bytes: number
}

/** A shorter time would show the rhythm of the parts. */
const windowMs = 5_000

/** Speed of a transfer over its last seconds. */
export interface Speed {
  /** @param bytes sent so far; fewer than before when a part is sent again */
  add(ms: number, bytes: number): void
  /** Bytes a second; null while there are too few figures. */
  perSecond(): number | null
}

export function createSpeed(): Speed {
  let samples: Sample[] = []
  return {
    add(ms, bytes) {
      const last = samples.at(-1)
      // A part that failed has not been sent: its bytes must not count against the next ones.
      if (last !== undefined && bytes < last.bytes) samples = []
      if (last !== undefined && ms - last.ms < 100 && samples.length > 1) samples.pop()
      samples.push({ ms, bytes })
      samples = samples.filter((one) => ms - one.ms <= windowMs)
    },
    perSecond() {
      const [first, last] = [samples[0], samples.at(-1)]
      if (first === undefined || last === undefined || last.ms - first.ms < 500) return null
      return ((last.bytes - first.bytes) * 1_000) / (last.ms - first.ms)
    },
  }
}

/** "about 40 s left"; null where nothing can be said. */
export function timeLeft(bytesLeft: number, perSecond: number | null): string | null {
  if (perSecond === null || perSecond <= 0) return null
  return timeLeftWords(bytesLeft / perSecond)
}
