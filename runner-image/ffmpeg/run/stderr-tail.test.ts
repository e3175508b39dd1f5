import { expect } from 'chai'
import fc from 'fast-check'
import { createTail } from './stderr-tail.ts'

describe('the end of a log', () => {
  it('returns the last whole lines of a log', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 })), fc.nat(60), (lines, bytes) => {
        const tail = createTail(10_000)
        lines.forEach((line) => tail.push(line))
        const text = tail.text(bytes)
        const kept = text === '' ? [] : text.split('\n')
        expect(Buffer.byteLength(text)).to.be.at.most(bytes)
        expect(lines.join('\n').endsWith(kept.join('\n'))).to.equal(true)
      }),
    )
  })

  it('the end of a log holds no more than its capacity, over any number of lines', () => {
    const tail = createTail(100)
    for (let index = 0; index < 5000; index += 1) tail.push(`line ${String(index)}`)
    expect(tail.text(1000).split('\n').length).to.be.within(9, 11)
    expect(tail.text(1000)).to.match(/line 4998\nline 4999$/)
  })
})
