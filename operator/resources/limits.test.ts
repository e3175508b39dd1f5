import { expect } from 'chai'
import { mostPixels } from './limits.ts'

describe('the largest picture of a runner', () => {
  const table: [string, number, number, number][] = [
    ['16 bytes of memory for each pixel', 268_435_456, 2_048, 134_217_728],
    ['the setting where memory carries more', 268_435_456, 16_384, 268_435_456],
    ['what earlier releases decoded where memory carries less', 268_435_456, 512, 67_108_864],
    ['a setting that is lower than that', 1_000_000, 512, 1_000_000],
  ]
  for (const [what, maxPixels, memoryMbytes, expected] of table) {
    it(`the largest picture of a runner has ${what}`, () => {
      expect(mostPixels({ maxPixels }, memoryMbytes)).to.equal(expected)
    })
  }
})
