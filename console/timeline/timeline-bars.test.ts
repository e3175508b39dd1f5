import { expect } from 'chai'
import fc from 'fast-check'
import { ticksFor, timelineOf } from './timeline-bars.ts'

const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1_000).toISOString()
const record = {
  ...{ created_at: at(0), started_at: at(7), finished_at: at(9) },
  ...{ ffmpeg_command_run_seconds: 1.5, attempts: 1 },
}

describe('timelineOf', () => {
  it('shows the time in the queue apart from the time at work', () => {
    const { bars, total } = timelineOf(record, 0)
    expect(total).to.equal(9)
    expect(bars.map(({ name, from, to }) => [name, from, to])).to.deep.equal([
      ['Waiting', 0, 7],
      ['Working', 7, 9],
    ])
    expect(bars[1]?.note).to.equal('FFmpeg 1.5 s of it')
  })

  it('grows with the time until the end', () => {
    const waiting = { ...record, started_at: null, finished_at: null }
    expect(timelineOf(waiting, Date.parse(at(4)))).to.deep.include({ total: 4 })
    expect(timelineOf(waiting, Date.parse(at(4))).bars).to.have.length(1)
    const working = { ...record, finished_at: null, attempts: 2 }
    expect(timelineOf(working, Date.parse(at(30))).bars[1]).to.include({ from: 7, to: 30 })
    expect(timelineOf(working, Date.parse(at(30))).bars[1]?.note).to.contain('attempt 2')
  })

  it('has no negative bar when the clock of this computer is late', () => {
    const working = { ...record, finished_at: null }
    expect(
      timelineOf(working, Date.parse(at(-5))).bars.every(({ from, to }) => from <= to),
    ).to.equal(true)
  })
})

describe('ticksFor', () => {
  it('has two to seven round figures within the axis', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 100_000, noNaN: true }), (total) => {
        const ticks = ticksFor(total)
        expect(ticks[0]).to.equal(0)
        expect(ticks.length).to.be.within(2, 7)
        expect(ticks.at(-1)).to.be.at.most(total)
      }),
    )
    expect(ticksFor(9)).to.deep.equal([0, 2, 4, 6, 8])
    expect(ticksFor(0)).to.deep.equal([0])
  })
})
