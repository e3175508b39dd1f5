import { expect } from 'chai'
import { argvOf, refusalOf } from './plan-one.fixture.ts'

describe('words as people paste them', () => {
  it('takes a semicolon at the very end, as a line of a script has it', () => {
    for (const end of [';', ' ;', ' ; ']) {
      expect(argvOf(`-i {{in_1}} {{out_1}}${end}`)).to.deep.equal(argvOf('-i {{in_1}} {{out_1}}'))
    }
    for (const command of ['-i {{in_1}} ";" {{out_1}}', '-i {{in_1}} {{out_1}}";"', ';']) {
      expect(refusalOf(command), command).not.to.equal('accepted')
    }
  })

  it('takes a placeholder behind file:', () => {
    for (const quote of ['', '"', "'"]) {
      const named = (alias: string): string => `${quote}file:{{${alias}}}${quote}`
      const inside = (alias: string): string => `file:${quote}{{${alias}}}${quote}`
      for (const form of [named, inside]) {
        expect(argvOf(`-i ${form('in_1')} ${form('out_1')}`)).to.deep.equal(
          argvOf('-i {{in_1}} {{out_1}}'),
        )
      }
    }
    expect(refusalOf('-i file:/etc/passwd {{out_1}}')).to.contain('command_forbidden')
    expect(refusalOf('-i file:{{in_1}}.bak {{out_1}}')).to.contain('command_alias')
  })
})
