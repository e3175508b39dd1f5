import { expect } from 'chai'
import fc from 'fast-check'
import { createLineCutter, scrubLine } from './stderr-lines.ts'

describe('lines of a log', () => {
  const cut = (longest: number, ...chunks: (string | Buffer)[]): string[] => {
    const cutter = createLineCutter(longest)
    const whole = chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk)))
    return [...whole, ...cutter.end()]
  }

  it('the lines of a log end at LF, CR or both, and at the end', () => {
    expect(cut(99, 'a\nb\r\nc\rd')).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('the lines of a log are the same however the output arrives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (text, at) => {
        const bytes = Buffer.from(text)
        expect(cut(50, bytes.subarray(0, at), bytes.subarray(at))).to.deep.equal(cut(50, bytes))
      }),
    )
  })

  it('the lines of a log are cut at their longest, never in the middle of a character', () => {
    expect(cut(5, 'abcdefgh\nxyz\n')).to.deep.equal(['abcde…', 'xyz'])
    expect(cut(5, 'ééé\n')).to.deep.equal(['éé…'])
  })

  it('log lines carry no control character: neither escapes nor turned text reach a terminal', () => {
    const hostile = 'a\u001b[2Jb\u0000c\u009bd\u202ee\u0085f\u2066g\tz\u007f'
    expect(scrubLine(hostile)).to.equal('a[2Jbcdefg\tz')
  })

  it('the lines of a log survive bytes that are not text', () => {
    expect(cut(99, Buffer.from([0xff, 0xfe, 0x0a]))).to.deep.equal(['\uFFFD\uFFFD'])
  })
})
