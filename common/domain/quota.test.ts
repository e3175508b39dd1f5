import { expect } from 'chai'
import { planWith } from '../../testing/support/plans.ts'
import { bytesPerMbyte } from './plans.ts'
import { mostReservedBytes, processingBytes, quotaProblem, reservationOf } from './quota.ts'

describe('the reservation of a command', () => {
  const mbytes = (count: number) => count * bytesPerMbyte

  it('reserves one and a half means, between 16 MB and the largest file of the plan', () => {
    const most = mbytes(100)
    expect(reservationOf(null, most)).to.equal(mbytes(16))
    expect(reservationOf(mbytes(2), most)).to.equal(mbytes(16))
    expect(reservationOf(mbytes(40), most)).to.equal(mbytes(60))
    expect(reservationOf(mbytes(80), most)).to.equal(mbytes(100))
    expect(reservationOf(mbytes(80), mbytes(4))).to.equal(mbytes(4))
  })

  it('reserves nothing on a plan without quotas', () => {
    const plan = planWith({ processingMbytes: null, storageMbytes: null, maxFileMbytes: 5 })
    expect(mostReservedBytes(plan)).to.equal(null)
    expect(reservationOf(mbytes(80), null)).to.equal(0)
    const limited = { ...plan, storageMbytes: 100 }
    expect(mostReservedBytes(limited)).to.equal(mbytes(5))
    expect(mostReservedBytes({ ...limited, maxFileMbytes: null })).to.be.above(mbytes(1e6))
  })
})

describe('quotaProblem', () => {
  const limits = { processingMbytes: 100, storageMbytes: 50 }
  const none = { processingBytes: 0, storedBytes: 0, reservedBytes: 0, reservedOutputBytes: 0 }

  it('names what is used and what is reserved when the two reach the limit', () => {
    const use = {
      ...none,
      processingBytes: 80 * bytesPerMbyte,
      reservedBytes: 20.5 * bytesPerMbyte,
    }
    expect(quotaProblem(use, limits)).to.equal(
      'Processing quota exceeded: 80 of 100 MB used this month, 20.5 MB reserved by commands that have not ended',
    )
    expect(quotaProblem({ ...use, reservedBytes: 0 }, limits)).to.equal(null)
  })

  it('counts what the outputs reserve against the room of an upload', () => {
    const use = {
      ...none,
      storedBytes: 30 * bytesPerMbyte,
      reservedOutputBytes: 16 * bytesPerMbyte,
    }
    expect(quotaProblem(use, limits, 4 * bytesPerMbyte)).to.equal(null)
    expect(quotaProblem(use, limits, 5 * bytesPerMbyte)).to.equal(
      'Storage quota exceeded: 30 of 50 MB used, 16 MB reserved by commands that have not ended, the upload needs 5 MB',
    )
  })
})

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
