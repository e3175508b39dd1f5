import { expect } from 'chai'
import table from './fonts.json' with { type: 'json' }
import { imageFontWith, missingCharacters } from './image-fonts.ts'

/** Letters that a font of the script has for certain. */
const letters: readonly string[] = [
  'Aéß',
  'Ωάλ',
  'Жїы',
  'سلم',
  'שלם',
  'Հայ',
  'ქარ',
  'ภาษ',
  'ລາວ',
  'हनद',
  'বল',
  'தம',
  'ខម',
  'አማ',
  '漢字',
  'ひら',
  'カタ',
  '한국',
  'ㄅㄆ',
  'ⴰⵣ',
  'ᐃᓄ',
  'ߒߞ',
  'མི',
  '🚀',
  '⠁⠂',
]

describe('the fonts of the image', () => {
  const scriptsOf = (font: string | null) =>
    letters.filter((word) => missingCharacters(word, font).length === 0).length

  it('the fonts of the image have a default with more scripts than any other', () => {
    const families = Object.entries(table.families).filter(([, file]) => file !== table.otherwise)
    expect(families).not.to.have.length(0)
    for (const [name] of families) expect(scriptsOf(name), name).to.be.lessThan(scriptsOf(null))
  })

  it('the fonts of the image have each of these scripts somewhere', () => {
    for (const word of letters) expect(imageFontWith(Array.from(word)), word).to.be.a('string')
  })

  it('the fonts of the image are found by names without blanks and in any case, and of others by the default', () => {
    for (const name of ['WenQuanYi Micro Hei', 'wenquanyimicrohei', 'WENQUANYI  MICRO HEI']) {
      expect(missingCharacters('漢字', name), name).to.deep.equal([])
    }
    for (const name of ['Noto Sans CJK JP', '', 'Sans']) {
      expect(missingCharacters('漢A', name), name).to.deep.equal(['漢'])
    }
  })

  it('the fonts of the image need no glyph for blanks, joiners and selectors', () => {
    expect(missingCharacters('\u00a0\t\n\u200d\ufe0f\u00ad', 'Noto Sans Thai')).to.deep.equal([])
  })
})
