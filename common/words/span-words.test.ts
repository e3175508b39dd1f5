import { expect } from 'chai'
import { spanWords } from './span-words.ts'

describe('the words of a time span', () => {
  for (const [seconds, words] of [
    [-1, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [7_199, '1 h'],
    [86_400 * 400, '400 d'],
  ] as const) {
    it(`${seconds} seconds are ${words}`, () => {
      expect(spanWords(seconds * 1_000)).to.equal(words)
    })
  }
})
