import { describeStore } from '../../../common/database/contract/describe-store.ts'
import { createMemoryStore } from './memory-store.ts'

describeStore('the simulator', () => {
  let nowMs = 1_000_000
  const clock = {
    monotonicMs: () => nowMs,
    wall: () => new Date(nowMs),
    schedule: () => () => undefined,
  }
  const tick = () => {
    nowMs += 1
  }
  return Promise.resolve({
    store: createMemoryStore({ clock, before: tick }),
    age: (seconds) => {
      nowMs += seconds * 1_000
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  })
})
