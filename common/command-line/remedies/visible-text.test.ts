import { expect } from 'chai'
import { inklessIn, inklessMistakeIn, visibleText } from './visible-text.ts'

const inkless = [
  ['\u00a0', 'U+00A0'],
  ['\u00ad', 'U+00AD'],
  ['\u200b', 'U+200B'],
  ['\u200e', 'U+200E'],
  ['\u2028', 'U+2028'],
  ['\u2029', 'U+2029'],
  ['\u202f', 'U+202F'],
  ['\u2060', 'U+2060'],
  ['\u3000', 'U+3000'],
  ['\ufeff', 'U+FEFF'],
] as const

describe('characters that cannot be seen', () => {
  for (const [character, codePoint] of inkless) {
    it(`unseen characters are shown by their code point: ${codePoint}`, () => {
      expect(visibleText(`${character}-c`)).to.equal(`<${codePoint}>-c`)
      expect(inklessIn(`a${character}b`)).to.equal(codePoint)
    })

    it(`unseen characters are a mistake in front of a word and within an option: ${codePoint}`, () => {
      expect(inklessMistakeIn(`${character}-c`)).to.equal(codePoint)
      expect(inklessMistakeIn(`-c${character}copy`)).to.equal(codePoint)
      expect(inklessMistakeIn(`{{in_1}}${character}`)).to.equal(codePoint)
      expect(inklessMistakeIn(`title=a${character}b`)).to.equal(null)
      expect(inklessMistakeIn(`"${character}"`)).to.equal(null)
    })
  }

  it('plain text and letters of other scripts have no unseen characters', () => {
    expect(visibleText('-vf drawtext=text=été 日本語')).to.equal('-vf drawtext=text=été 日本語')
    expect(inklessIn('日本語 é')).to.equal(null)
  })
})
