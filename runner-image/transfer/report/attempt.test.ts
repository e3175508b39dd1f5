import { expect } from 'chai'
import { createAttempt } from './attempt.ts'

describe('the percent of an attempt', () => {
  const tenSeconds = { seconds: 10, frames: null }
  const at = (seconds: number) => ({ outTimeUs: seconds * 1e6, frame: null })

  it('the percent is that of FFmpeg where no playlist is among the inputs', () => {
    const attempt = createAttempt(1)
    expect(attempt.progress().progressPercent).to.equal(null)
    attempt.stepReached(0, tenSeconds, at(5))
    expect(attempt.progress().progressPercent).to.equal(50)
  })

  it('the percent is half for the segments of a playlist, and half for FFmpeg', () => {
    const attempt = createAttempt(1)
    attempt.segmentsFetched(0.25)
    expect(attempt.progress().progressPercent).to.equal(12.5)
    attempt.segmentsFetched(1)
    expect(attempt.progress().progressPercent).to.equal(50)
    attempt.stepReached(0, tenSeconds, at(5))
    expect(attempt.progress().progressPercent).to.equal(75)
    expect(attempt.progress().steps[0]?.progress_percent).to.equal(50)
  })

  it('the percent does not fall where a playlist is found to name more', () => {
    const attempt = createAttempt(1)
    attempt.segmentsFetched(0.8)
    attempt.segmentsFetched(0.4)
    expect(attempt.progress().progressPercent).to.equal(40)
  })
})
