import { expect } from 'chai'
import fc from 'fast-check'
import { commandPercent, stepPercent } from './progress-percent.ts'

const tenSeconds = { seconds: 10, frames: null }
const at = (seconds: number) => ({ outTimeUs: seconds * 1e6, frame: null })

describe('percent of a step', () => {
  it('the percent of a step is reported time over expected time', () => {
    expect(stepPercent(tenSeconds, at(2.5), null)).to.equal(25)
  })
  it('counts frames when the command limits frames', () => {
    expect(stepPercent({ seconds: 10, frames: 50 }, { outTimeUs: 1, frame: 10 }, null)).to.equal(20)
  })
  it('the percent of a step stays unknown while nothing is expected or reported', () => {
    expect(stepPercent({ seconds: null, frames: null }, at(3), null)).to.equal(null)
    expect(stepPercent(tenSeconds, { outTimeUs: null, frame: 7 }, null)).to.equal(null)
  })
  it('the percent of a step never reaches 100 and never falls', () => {
    expect(stepPercent(tenSeconds, at(12), null)).to.equal(99)
    expect(stepPercent(tenSeconds, at(1), 30)).to.equal(30)
    expect(stepPercent(tenSeconds, at(-0.04), null)).to.equal(0)
  })
})

describe('percent of a step over all that FFmpeg may report', () => {
  const figure = fc.option(fc.integer({ min: -1_000_000, max: 100_000_000 }))
  const reports = fc.array(fc.record({ outTimeUs: figure, frame: figure }), { minLength: 1 })
  const expected = fc.oneof(
    fc.record({ seconds: fc.double({ min: 0, max: 1e5, noNaN: true }), frames: fc.constant(null) }),
    fc.record({ seconds: fc.constant(null), frames: fc.integer({ min: 0, max: 1e6 }) }),
    fc.constant({ seconds: null, frames: null }),
  )

  it('the percent of a step never falls, never turns unknown again and stays between 0 and 99', () => {
    fc.assert(
      fc.property(expected, reports, (whole, sequence) => {
        let before: number | null = null
        for (const reached of sequence) {
          const percent = stepPercent(whole, reached, before)
          expect(percent === null ? before : null).to.equal(null)
          if (percent !== null) expect(percent).to.be.within(before ?? 0, 99)
          before = percent
        }
      }),
    )
  })

  it('the percent of a step is unknown to the end when no total is known', () => {
    fc.assert(
      fc.property(reports, (sequence) =>
        sequence.every(
          (reached) => stepPercent({ seconds: null, frames: null }, reached, null) === null,
        ),
      ),
    )
  })
})

describe('percent of a command', () => {
  it('weighs steps by their seconds', () => {
    const steps = [
      { percent: 100, expectedSeconds: 30 },
      { percent: 50, expectedSeconds: 10 },
    ]
    expect(commandPercent(steps, null)).to.equal(87.5)
  })
  it('weighs them the same when one is unknown', () => {
    const steps = [
      { percent: 100, expectedSeconds: 30 },
      { percent: null, expectedSeconds: null },
    ]
    expect(commandPercent(steps, null)).to.equal(50)
  })
  it('the percent of a command is unknown until a step has said something', () => {
    expect(commandPercent([{ percent: null, expectedSeconds: 5 }], null)).to.equal(null)
  })
  it('the percent of a command stays between its last value and 99, for any report of FFmpeg', () => {
    const step = fc.record({
      percent: fc.option(fc.integer({ min: 0, max: 100 })),
      expectedSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    })
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1 }),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom(0, 50),
        (steps, before, fetchPercent) => {
          const percent = commandPercent(steps, before, fetchPercent)
          return percent !== null && percent >= before && percent <= 99
        },
      ),
    )
  })
})
