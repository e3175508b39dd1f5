import { expect } from 'chai'
import { statsLine } from './stats-line.ts'

describe('the line of statistics', () => {
  it('prints the same line as FFmpeg', () => {
    const block = {
      frame: 125,
      fps: 62.4,
      totalBytes: 1_048_576,
      outTimeUs: 3_725_040_000,
      speed: 2.1,
    }
    expect(statsLine(block)).to.equal('frame=125 fps=62.4 size=1024KiB time=01:02:05.04 speed=2.1x')
  })
  it('the line of statistics leaves out what is not known', () => {
    const nothing = { frame: null, fps: 0, totalBytes: null, outTimeUs: null, speed: null }
    expect(statsLine(nothing)).to.equal('time=N/A')
    expect(statsLine({ ...nothing, outTimeUs: -40_000 })).to.equal('time=-00:00:00.04')
  })
})
