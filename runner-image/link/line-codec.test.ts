import { expect } from 'chai'
import fc from 'fast-check'
import { createLineReader, encodeLine } from './line-codec.ts'

describe('lines of the link', () => {
  it('lines of the link come out as they went in, however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 10 }),
        (ids, piece) => {
          const messages = ids.map((id) => ({ type: 'kill', id, reason: 'cancelled' }) as const)
          const bytes = Buffer.from(messages.map(encodeLine).join(''))
          const read = createLineReader(1000)
          const lines: string[] = []
          for (let start = 0; start < bytes.length;) {
            const end = start + piece
            lines.push(...read(bytes.subarray(start, end)))
            start = end
          }
          expect(lines.map((line): unknown => JSON.parse(line))).to.deep.equal(messages)
        },
      ),
    )
  })

  it('accepts lines as long as agreed and not a byte longer', () => {
    expect(createLineReader(4)(Buffer.from('1234\n'))).to.deep.equal(['1234'])
    expect(() => createLineReader(4)(Buffer.from('12345\n'))).to.throw('longer than 4 bytes')
  })

  it('the bytes of a line are not collected without a limit', () => {
    const read = createLineReader(10)
    read(Buffer.from('12345678'))
    expect(() => read(Buffer.from('9012'))).to.throw('longer than 10 bytes')
  })
})
