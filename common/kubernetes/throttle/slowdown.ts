import type { Clock } from '../../runtime/effects.ts'

/** Half of the rate while the API server refuses requests for their number. */
export interface Slowdown {
  /** @returns whether the slowdown begins with this refusal */
  refused(): boolean
  isOn(): boolean
}

const refusals = 3
const withinMs = 10_000
const lastsMs = 60_000

/** Three 429 in 10 s, for a minute from the last three: a single one is normal while the API server starts. */
export function createSlowdown(clock: Clock): Slowdown {
  let recent: number[] = []
  let untilMs = -Infinity
  const isOn = (): boolean => clock.monotonicMs() < untilMs
  return {
    isOn,
    refused() {
      const nowMs = clock.monotonicMs()
      recent = [...recent.filter((atMs) => nowMs - atMs < withinMs), nowMs]
      if (recent.length < refusals) return false
      recent = []
      const begins = !isOn()
      untilMs = nowMs + lastsMs
      return begins
    },
  }
}
