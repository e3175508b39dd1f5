import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { absentFonts } from './absent-fonts.ts'

const found = (font: string): string[] =>
  absentFonts(stepOf(`-i {{in_1}} -vf drawtext=text=a:fontfile=${font} {{out_1}}`))

describe('a font by its path', () => {
  for (const path of ['truetype/msttcorefonts/Arial.ttf', 'TTF/Vera.ttf', 'Arial.ttf']) {
    it(`a font is not in the image: ${path}`, () => {
      expect(found(`/usr/share/fonts/${path}`)).to.deep.equal([`/usr/share/fonts/${path}`])
    })
  }

  it('a font is taken for one of the image in a folder that this has, and for an input', () => {
    expect(found('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf')).to.deep.equal([])
    expect(found('{{in_2}}')).to.deep.equal([])
  })
})
