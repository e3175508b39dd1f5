import { expect } from 'chai'
import { systemClock } from '../../../../common/runtime/system-effects.ts'
import { createDiskPace } from './disk-pace.ts'

describe('the pace of the disk', () => {
  let now: number
  const clock = { ...systemClock, monotonicMs: () => now }
  beforeEach(() => {
    now = 0
  })

  it('takes bytes at once until a write has taken long, and again a second later', () => {
    const disk = createDiskPace(clock)
    disk.timed(() => (now += 9))
    expect(disk.takesAtOnce()).to.equal(true)
    disk.timed(() => (now += 200))
    expect(disk.takesAtOnce()).to.equal(false)
    now += 999
    expect(disk.takesAtOnce()).to.equal(false)
    now += 1
    expect(disk.takesAtOnce()).to.equal(true)
  })

  it('hands on why a write failed', () => {
    const disk = createDiskPace(clock)
    const full = (): never => {
      throw new Error('full')
    }
    expect(() => disk.timed(full)).to.throw('full')
  })
})
