import { expect } from 'chai'
import { createProgressReader } from './progress.ts'

describe('the progress of FFmpeg', () => {
  const read = (...chunks: string[]) => {
    const reader = createProgressReader()
    return chunks.flatMap((chunk) => reader(Buffer.from(chunk)))
  }
  const block =
    'frame=50\nfps=0.00\nout_time_us=2000000\nout_time_ms=2000000\nspeed=1.5x\nprogress=continue\n'

  it('reads a block of values as progress', () => {
    expect(read(block)).to.deep.equal([
      { outTimeUs: 2_000_000, frame: 50, totalBytes: null, speed: 1.5, fps: 0, isLast: false },
    ])
  })

  it('returns null for values for which FFmpeg says N/A', () => {
    const early =
      'frame=0\ntotal_size=N/A\nout_time_us=N/A\nout_time=N/A\nspeed=N/A\nprogress=continue\n'
    expect(read(early)).to.deep.equal([
      { outTimeUs: null, frame: 0, totalBytes: null, speed: null, fps: null, isLast: false },
    ])
  })

  it('takes either name of the time for microseconds', () => {
    expect(read('out_time_ms=7\nprogress=end\n').map(({ outTimeUs }) => outTimeUs)).to.deep.equal([
      7,
    ])
  })

  it('keeps no value from one block to the next, and reports which is the last', () => {
    expect(read(block, 'total_size=10\nprogress=end\n').at(1)).to.deep.equal({
      outTimeUs: null,
      frame: null,
      totalBytes: 10,
      speed: null,
      fps: null,
      isLast: true,
    })
  })

  it('reads progress in any pieces, and omits a block without its last line', () => {
    expect(read(...block.split(/(?<=.)/))).to.deep.equal(read(block))
    expect(read('frame=1\nprogress=contin')).to.deep.equal([])
  })
})
