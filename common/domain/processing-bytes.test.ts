import { expect } from 'chai'
import { processingBytes } from './processing-bytes.ts'

const usage = { inputBytes: 100, outputBytes: 50, ffmpegStarted: true, ffmpegRunSeconds: 1 }
const failed = (errorStatus: 'FFMPEG_FAILED' | 'RUNNER_LOST') =>
  ({ status: 'FAILED', errorStatus, errorMessage: '' }) as const

describe('processingBytes', () => {
  it('charges inputs and outputs of a success', () => {
    expect(processingBytes({ status: 'SUCCESS' }, usage)).to.equal(150)
  })
  it('charges the inputs of a failure once FFmpeg had started', () => {
    expect(processingBytes(failed('FFMPEG_FAILED'), usage)).to.equal(100)
    const before = { ...usage, ffmpegStarted: false }
    expect(processingBytes(failed('FFMPEG_FAILED'), before)).to.equal(0)
  })
  it("charges nothing for the service's errors and for attempts without a report", () => {
    expect(processingBytes(failed('RUNNER_LOST'), usage)).to.equal(0)
    expect(processingBytes(failed('FFMPEG_FAILED'), null)).to.equal(0)
  })
})
