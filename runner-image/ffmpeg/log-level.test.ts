import { expect } from 'chai'
import { logLineFrom } from './log-level.ts'

describe('a line of FFmpeg’s log', () => {
  it('loses its level, not the parts of FFmpeg that speak', () => {
    expect(logLineFrom('[info] Input #0, lavfi, from x:')).to.deep.equal({
      text: 'Input #0, lavfi, from x:',
      serious: false,
    })
    expect(logLineFrom('[in#0 @ 0x55d0] [mov @ 0x12] [error] moov atom not found')).to.deep.equal({
      text: '[in#0 @ 0x55d0] [mov @ 0x12] moov atom not found',
      serious: true,
    })
    expect(logLineFrom('[libx264 @ 0x5] [warning] ')).to.deep.equal({
      text: '[libx264 @ 0x5] ',
      serious: true,
    })
  })

  it('that somebody else wrote stays as it is', () => {
    for (const text of ['setpriv: no', 'x265 [info]: HEVC', '[a] [error] b', '[hm] text']) {
      expect(logLineFrom(text)).to.deep.equal({ text, serious: true })
    }
  })
})
