import { expect } from 'chai'
import { createTimesLeft } from './time-left.ts'

describe('the time that is left', () => {
  const after = (...samples: [percent: number | null, seconds: number][]) => {
    const left = createTimesLeft()
    for (const [percent, seconds] of samples) left.note('a', percent, seconds * 1_000)
    return left.words('a')
  }

  it('the time left is not said from one percent, nor within five seconds, nor while nothing moves', () => {
    expect(after([10, 0])).to.equal(null)
    expect(after([10, 0], [50, 4.9])).to.equal(null)
    expect(after([10, 0], [10, 60])).to.equal(null)
    expect(createTimesLeft().words('b')).to.equal(null)
  })

  it('the time left is rounded up to steps of five seconds, then to minutes and hours', () => {
    expect(after([0, 0], [20, 5])).to.equal('about 20 s left')
    expect(after([0, 0], [21, 5])).to.equal('about 20 s left')
    expect(after([0, 0], [99.9, 60])).to.equal('about 5 s left')
    expect(after([0, 0], [50, 60])).to.equal('about 1 min left')
    expect(after([0, 0], [10, 600])).to.equal('about 2 h left')
  })

  it('the time left begins anew with another attempt, and after an end', () => {
    expect(after([0, 0], [50, 10], [0, 20], [10, 22])).to.equal(null)
    expect(after([0, 0], [50, 10], [null, 20], [60, 21])).to.equal(null)
  })
})
