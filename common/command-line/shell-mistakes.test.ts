import { expect } from 'chai'
import { errorsOf, refusalOf } from './plan-one.fixture.ts'

const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('shell habits', () => {
  for (const word of ['|', '||', '&', '&&', ';', '>', '>>', '<', '2>', '2>&1', '>out.txt', '&>x']) {
    it(`refuses the operator ${word} but not in quotes`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${word} x`)).to.equal(`command_syntax ${word}`)
      expect(refusalOf(withOption(`-metadata '${word}'`))).to.equal('accepted')
    })
  }

  for (const word of ['“title”', '”x', '‘x’', '’x', '\u00a0-i']) {
    it(`refuses ${word} for its typographic start`, () => {
      expect(refusalOf(withOption(`-metadata ${word}`))).to.equal(`command_syntax ${word}`)
    })
  }

  it('explains long dashes and other programs', () => {
    expect(refusalOf(`–i {{in_1}} {{out_1}}`)).to.equal('command_syntax –i')
    const [error] = errorsOf('ffprobe -i {{in_1}}')
    expect(error?.type).to.equal('command_syntax')
    expect(error?.message).to.contain('/v1/files/store-file')
  })
})
