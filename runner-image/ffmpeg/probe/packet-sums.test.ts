import { expect } from 'chai'
import { createPacketSummer } from './packet-sums.ts'

describe('the sums of packets', () => {
  it('the sums of packets are kept by stream, with the end of the last one shown', () => {
    const summer = createPacketSummer()
    const lines = [
      'stream_index=0|pts_time=0.080000|duration_time=0.040000|size=100',
      'stream_index=0|pts_time=0.040000|duration_time=0.040000|size=50',
      'stream_index=1|pts_time=N/A|duration_time=N/A|size=7',
      'stream_index=1|pts_time=0.100000|size=N/A',
    ]
    for (const byte of `${lines.join('\n')}\n`) summer.push(Buffer.from(byte))
    expect(summer.sums()).to.deep.equal({
      bytes: new Map([
        [0, 150],
        [1, 7],
      ]),
      endSeconds: 0.12,
    })
  })

  it('the sums of packets have no end time without a clock', () => {
    const summer = createPacketSummer()
    summer.push(Buffer.from('stream_index=0|pts_time=N/A|duration_time=0.04|size=1\n'))
    expect(summer.sums().endSeconds).to.equal(null)
  })
})
