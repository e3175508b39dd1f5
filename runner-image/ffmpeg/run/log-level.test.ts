import { expect } from 'chai'
import { logLineFrom } from './log-level.ts'

describe('a line of FFmpeg’s log', () => {
  it('a line of the log loses its level, not the parts of FFmpeg that speak', () => {
    expect(logLineFrom('[info] Input #0, lavfi, from x:')).to.deep.equal({
      text: 'Input #0, lavfi, from x:',
      weight: 'talk',
      level: 'info',
    })
    expect(logLineFrom('[in#0 @ 0x55d0] [mov @ 0x12] [error] moov atom not found')).to.deep.equal({
      text: '[in#0 @ 0x55d0] [mov @ 0x12] moov atom not found',
      weight: 'error',
      level: 'error',
    })
    expect(logLineFrom('[libx264 @ 0x5] [warning] ')).to.deep.equal({
      text: '[libx264 @ 0x5] ',
      weight: 'hint',
      level: 'warning',
    })
  })

  it('leaves a line of another program unchanged', () => {
    for (const text of ['setpriv: no', '[a] [error] b', 'x264 [error]: no', 'terminate called']) {
      expect(logLineFrom(text)).to.deep.equal({ text, weight: 'error', level: 'error' })
    }
    for (const text of ['x265 [warning]: no', 'Svt[warn]: no']) {
      expect(logLineFrom(text)).to.deep.equal({ text, weight: 'hint', level: 'warning' })
    }
    for (const text of ['[hm] text', '   96000']) {
      expect(logLineFrom(text)).to.deep.equal({ text, weight: 'hint', level: 'info' })
    }
    for (const text of ['x265 [info]: HEVC', 'Svt[info]: SVT', 'encoded 50 frames in 0.67s']) {
      expect(logLineFrom(text)).to.deep.equal({ text, weight: 'talk', level: 'info' })
    }
  })

  it('a line of the log is weighted by its content, not only by its level', () => {
    const weight = (line: string): string => logLineFrom(line).weight
    expect(weight('[vost#0:0 @ 0x5] [error] Could not open encoder before EOF')).to.equal('hint')
    expect(weight('[error] Error opening input file ../in/in_1.mp4.')).to.equal('error')
    expect(
      weight('[out#0/mp4 @ 0x5] [warning] Output file is empty, nothing was encoded'),
    ).to.equal('error')
  })
})
