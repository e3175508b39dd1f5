import { expect } from 'chai'
import { codecLevel } from './codec-level.ts'

describe('the level of a codec', () => {
  const table: [string, number | null, string | null][] = [
    ['h264', 12, '1.2'],
    ['h264', 40, '4.0'],
    ['h264', 9, '1b'],
    ['h264', -99, null],
    ['hevc', 60, '2.0'],
    ['hevc', 93, '3.1'],
    ['av1', 0, '2.0'],
    ['av1', 13, '5.1'],
    ['av1', -8, null],
    ['mpeg2video', 8, 'Main'],
    ['mpeg4', 1, '1'],
    ['vp9', -99, null],
    ['mjpeg', 0, null],
    ['h264', null, null],
  ]
  for (const [codec, level, written] of table) {
    it(`${codec} ${String(level)} is ${String(written)}`, () => {
      expect(codecLevel(codec, level)).to.equal(written)
    })
  }
})
