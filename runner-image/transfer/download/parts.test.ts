import { expect } from 'chai'
import fc from 'fast-check'
import { Parts, partPlan } from './parts.ts'
import type { Part } from './parts.ts'

describe('the parts of a file', () => {
  it('the parts of a file are claimed from the end, and from the start for a reader', () => {
    const parts = new Parts(95, 10)
    expect(parts.claim(1, 'last')).to.include({ position: 90, end: 95 })
    expect(parts.claim(1, 'last')).to.include({ position: 80, end: 90 })
    expect(parts.claim(1, 'first')).to.include({ position: 10, end: 20 })
    expect(parts.claim(31, 'first')).to.include({ position: 40, end: 50 })
  })

  it('the parts of a file let the stream end where ranges have all of the rest', () => {
    const parts = new Parts(30, 10)
    const last = parts.claim(1, 'last')
    expect(parts.rangesBegin).to.equal(30)
    if (last !== null) last.state = 'arriving'
    expect(parts.rangesBegin).to.equal(20)
    const next = parts.claim(1, 'last')
    if (next !== null) next.position = next.end
    expect([parts.rangesBegin, parts.nextRange(3)]).to.deep.equal([10, 10])
    if (last !== null) last.state = 'free'
    expect([parts.rangesBegin, parts.nextRange(3)]).to.deep.equal([30, 10])
  })

  it('all parts are fetched, however ranges are refused, broken off or overtaken by the stream', () => {
    const step = fc.record({
      of: fc.constantFrom('claim', 'answer', 'bytes', 'end', 'stream'),
      which: fc.nat(),
      bytes: fc.integer({ min: 1, max: 25 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(step), (totalBytes, steps) => {
        const parts = new Parts(totalBytes, 10)
        const present = new Set<number>()
        const underWay: Part[] = []
        let stream = 0
        const put = (first: number, end: number): void => {
          for (let byte = first; byte < end; byte += 1) present.add(byte)
        }
        for (const { of, which, bytes } of steps) {
          const part = underWay[which % Math.max(1, underWay.length)]
          if (of === 'claim') {
            const claimed = parts.claim(stream + 1, which % 2 === 0 ? 'first' : 'last')
            if (claimed !== null) underWay.push(claimed)
          } else if (of === 'answer' && part !== undefined) part.state = 'arriving'
          else if (of === 'bytes' && part?.state === 'arriving') {
            const end = Math.min(part.end, part.position + bytes)
            put(part.position, end)
            part.position = end
          } else if (of === 'end' && part !== undefined) {
            part.state = 'free'
            underWay.splice(underWay.indexOf(part), 1)
          } else if (of === 'stream') {
            const end = Math.max(stream, Math.min(stream + bytes, parts.rangesBegin))
            put(stream, end)
            parts.cover(stream, end)
            stream = end
          }
          for (let byte = 0; byte < parts.head; byte += 1) expect(present.has(byte)).to.equal(true)
        }
        for (const part of underWay) part.state = 'free'
        while (parts.head < totalBytes) {
          const [first, end] = [parts.head, parts.rangesBegin]
          expect(end).to.be.above(first)
          put(first, end)
          parts.cover(first, end)
        }
        expect(present.size).to.equal(totalBytes)
      }),
    )
  })

  it('the parts of a file are several for each connection, and small for a reader', () => {
    const GiB = 1024 ** 3
    expect(partPlan(GiB, false)).to.deep.equal({ bytes: 16 * 1024 ** 2, connections: 8 })
    expect(partPlan(GiB, true)).to.deep.equal({ bytes: 1024 ** 2, connections: 4 })
  })
})
