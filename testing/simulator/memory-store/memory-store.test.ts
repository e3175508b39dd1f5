import { describeStore } from '../../store-contract/describe-store.ts'
import type { Tables } from './memory-rows.ts'
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
  let tables: Tables | undefined
  const audit = (now: Tables): void => {
    tables = now
  }
  return Promise.resolve({
    store: createMemoryStore({ clock, before: tick, audit }),
    age: (seconds) => {
      nowMs += seconds * 1_000
      return Promise.resolve()
    },
    changeFile: (fileId, change) => {
      const file = tables?.files.find((each) => each.fileId === fileId)
      if (file === undefined) throw new Error(`no file ${fileId}`)
      if (change === 'deleted') file.deletedAt = new Date(nowMs)
      else Object.assign(file, { status: 'UPLOADED', key: `uploads/${fileId}`, sizeBytes: 77 })
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  })
})
