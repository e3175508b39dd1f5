import { expect } from 'chai'
import { median, medianInterval, percentile, ratioInterval } from './statistics.ts'

describe('statistics', () => {
  it('returns a measured percentile for values in any order', () => {
    const values = [50, 10, 40, 20, 30]
    expect([0, 0.2, 0.21, 0.5, 0.9, 1].map((part) => percentile(values, part))).to.deep.equal([
      10, 10, 20, 30, 50, 50,
    ])
  })

  it('answers the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 2])).to.equal(2.5)
    expect(median([3, 1, 2])).to.equal(2)
  })

  it('answers no number where nothing was measured', () => {
    expect(percentile([], 0.5)).to.deep.equal(Number.NaN)
    expect(median([])).to.deep.equal(Number.NaN)
  })

  it('puts the interval of a median around it, and at a point where all values are equal', () => {
    const values = Array.from({ length: 20 }, (_, index) => index)
    const { low, high } = medianInterval(values, countingUp())
    expect(low).to.be.within(0, 9)
    expect(high).to.be.within(10, 19)
    expect(medianInterval([7, 7, 7], countingUp())).to.deep.equal({ low: 7, high: 7 })
  })

  it('puts the interval of a ratio around it, and at a point where both sides have equal values', () => {
    const base = Array.from({ length: 40 }, (_, index) => 10 + (index % 7))
    const values = base.map((value) => value * 2)
    const { low, high } = ratioInterval(values, base, median, countingUp())
    expect(low).to.be.within(1.5, 2)
    expect(high).to.be.within(2, 2.5)
    expect(ratioInterval([6, 6], [4, 4, 4], median, countingUp())).to.deep.equal({
      low: 1.5,
      high: 1.5,
    })
  })
})

/** The golden ratio's multiples fill the unit interval evenly, and the same in each run. */
function countingUp(): () => number {
  let at = 0
  return () => (at = (at + 0.618_033_988_749_895) % 1)
}
