import { expect } from 'chai'
import fc from 'fast-check'
import { afterPart, nextPart, partsOf, partsState } from './growing-parts.ts'
import type { Part } from './growing-parts.ts'

const mebibyte = 1024 * 1024
const partBytes = 5 * mebibyte

describe('the parts of a growing file', () => {
  it('the parts of a growing file are sent once they are full', () => {
    const state = partsState(false)
    expect(nextPart(state, partBytes - 1)).to.equal(null)
    expect(nextPart(state, partBytes)).to.deep.equal({ partNumber: 1, start: 0, bytes: partBytes })
  })

  it('the parts of a growing file begin with the second if FFmpeg will write the first again', () => {
    const state = partsState(true)
    expect(nextPart(state, 2 * partBytes - 1)).to.equal(null)
    expect(nextPart(state, 2 * partBytes)?.partNumber).to.equal(2)
  })

  it('the full parts of a growing file are the first of those of the finished file', () => {
    const sizes = fc.integer({ min: 1, max: 400 * mebibyte })
    fc.assert(
      fc.property(sizes, (size) => {
        const all = partsOf(size, partBytes) ?? []
        expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).to.equal(size)
        const full = all.filter(({ bytes }) => bytes === partBytes)
        expect(fullParts(size)).to.deep.equal(full)
      }),
    )
  })

  it('the parts of a file are at most 10,000, and none of an empty file', () => {
    const most = 10_000 * partBytes
    expect(partsOf(most, partBytes)?.length).to.equal(10_000)
    expect(partsOf(most + 1, partBytes)).to.equal(null)
    expect(nextPart({ partBytes, next: 10_001 }, most + partBytes)).to.equal(null)
    expect(partsOf(0, partBytes)).to.equal(null)
  })
})

function fullParts(size: number): Part[] {
  const parts: Part[] = []
  let state = partsState(false)
  for (let part = nextPart(state, size); part !== null; part = nextPart(state, size)) {
    parts.push(part)
    state = afterPart(state, part)
  }
  return parts
}
