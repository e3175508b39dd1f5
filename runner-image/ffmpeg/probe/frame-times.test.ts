import { expect } from 'chai'
import { isVaryingFrameRate } from './frame-times.ts'

const times = (count: number, at: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => at(index))

describe('the distance of frames', () => {
  const table: [string, number[], boolean | null][] = [
    ['no frame', [], null],
    ['one frame', [5], null],
    ['even ticks', times(240, (index) => index * 512), false],
    ['even ticks in the order of decoding', [0, 2048, 1024, 512, 1536], false],
    [
      "Matroska's milliseconds at 30 frames",
      times(240, (index) => Math.round(index * 33.333)),
      false,
    ],
    ['one gap in 240', times(240, (index) => index * 512 + (index > 100 ? 900 : 0)), false],
    ['ten gaps in 240', times(240, (index) => index * 512 + Math.floor(index / 24) * 512), true],
    [
      'every third frame late',
      times(100, (index) => index * 40 + (index % 3 === 0 ? 15 : 0)),
      true,
    ],
  ]
  for (const [name, frames, varying] of table) {
    it(`${String(varying)} for ${name}`, () => {
      expect(isVaryingFrameRate(frames)).to.equal(varying)
    })
  }
})
