import { expect } from 'chai'
import { partsProblem } from './uploaded-parts.ts'

describe('partsProblem', () => {
  const least = 5 * 1_048_576
  const stored = (...sizes: number[]) =>
    new Map(sizes.map((sizeBytes, index) => [index + 1, { etag: 'e', sizeBytes }]))
  const parts = [1, 2].map((partNumber) => ({ partNumber, etag: 'e' }))

  it('names a part that the object store would not join', () => {
    expect(partsProblem(parts, stored(1_000, 1_000), 2_000)).to.equal(
      'Part 1 has 1000 bytes; every part but the last needs 5 MiB',
    )
  })

  it('parts have no problem when they are the announced file', () => {
    expect(partsProblem(parts, stored(least, 1), least + 1)).to.equal(null)
    expect(partsProblem(parts, stored(least, 1), least)).to.match(/5242880 were announced$/)
  })
})
