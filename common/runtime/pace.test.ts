import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createPace } from './pace.ts'

describe('createPace', () => {
  function pacing(longestMs = () => 1_000) {
    const clock = createVirtualClock()
    return { clock, pace: createPace({ everyMs: 100, longestMs }, clock) }
  }

  it('polls at the shortest interval for 5 s after work', async () => {
    const { clock, pace } = pacing()
    await clock.advance(4_999)
    expect(pace.isIdle()).to.equal(false)
    expect(pace.nextMs()).to.equal(100)
  })

  it('polls half as often again after each poll of an idle time, up to the longest interval', async () => {
    const { clock, pace } = pacing()
    await clock.advance(5_000)
    expect(pace.isIdle()).to.equal(true)
    const waits = Array.from({ length: 8 }, () => Math.round(pace.nextMs()))
    expect(waits).to.deep.equal([150, 225, 338, 506, 759, 1_000, 1_000, 1_000])
  })

  it('polls at the shortest interval again once work is found', async () => {
    const { clock, pace } = pacing()
    await clock.advance(60_000)
    pace.nextMs()
    pace.found()
    expect(pace.isIdle()).to.equal(false)
    expect(pace.nextMs()).to.equal(100)
  })

  it('follows a longest interval that becomes shorter, and never goes below the shortest', async () => {
    let longestMs = 1_000
    const { clock, pace } = pacing(() => longestMs)
    await clock.advance(5_000)
    for (let poll = 0; poll < 8; poll++) pace.nextMs()
    longestMs = 300
    expect(pace.nextMs()).to.equal(300)
    longestMs = 10
    expect(pace.nextMs()).to.equal(100)
  })
})
