import { expect } from 'chai'
import { brokenLimit, createStallDetector } from './watchdog.ts'

describe('the watchdog', () => {
  const limits = { seconds: 60, fileBytes: null, scratchBytes: 1000, fileCount: 10 }
  const use = { bytes: 1000, entries: 10, freeBytes: 1e9 }

  it('lets a folder be as full as agreed', () => {
    expect(brokenLimit(use, limits)).to.equal(null)
  })
  it('names the limit that is broken', () => {
    expect(brokenLimit({ ...use, bytes: 1001 }, limits)).to.equal('scratch_bytes')
    expect(brokenLimit({ ...use, entries: 11 }, limits)).to.equal('file_count')
    expect(brokenLimit({ ...use, freeBytes: 1e6 }, limits)).to.equal('free_space')
  })

  it('calls a run stalled when nothing has grown for a minute', () => {
    const isStalled = createStallDetector()
    const still = { outTimeUs: 5, frame: 1, bytes: 7 }
    expect(isStalled(still, 0)).to.equal(false)
    expect(isStalled(still, 59_999)).to.equal(false)
    expect(isStalled(still, 60_000)).to.equal(true)
    expect(isStalled({ ...still, bytes: 8 }, 61_000)).to.equal(false)
    expect(isStalled({ ...still, bytes: 8 }, 121_000)).to.equal(true)
  })
})
