import { expect } from 'chai'
import { parseProbeReport, timesInReport } from './probe/ffprobe-report.ts'
import { mostTimes } from './probe/frame-times.ts'

const picture = { index: 0, codec_type: 'video' }
const cover = { index: 1, codec_type: 'video', disposition: { attached_pic: 1 } }
const sound = { index: 0, codec_type: 'audio' }
const packets = (count: number, stream: number) =>
  Array.from({ length: count }, (_, at) => ({ stream_index: stream, pts: at * 512 }))

function times(streams: readonly object[], found: readonly object[]): readonly number[] | null {
  const text = JSON.stringify({ packets: found, streams, format: { format_name: 'mov' } })
  const report = parseProbeReport(text)
  if (report === null) throw new Error('no report')
  return timesInReport(text, report)
}

describe('timesInReport', () => {
  it('takes the times of the video alone, without those that are not known', () => {
    const found = [...packets(2, 0), { stream_index: 0 }, ...packets(3, 1)]
    expect(times([picture, { index: 1, codec_type: 'audio' }], found)).to.deep.equal([0, 512])
  })

  it('timesInReport does not take a cover for a video', () => {
    expect(times([sound, cover], [...packets(3, 0), ...packets(1, 1)])).to.deep.equal([])
  })

  it('timesInReport does not know the times when other streams may have taken their places', () => {
    const two = [picture, { index: 1, codec_type: 'audio' }]
    expect(times(two, packets(mostTimes, 1))).to.equal(null)
    expect(times([picture], packets(mostTimes, 0))).to.have.length(mostTimes)
  })
})
