import { expect } from 'chai'
import { argvOf, refusalOf } from '../../../testing/support/plan-one.ts'

describe('words as people paste them', () => {
  it('takes a semicolon at the very end, as a line of a script has it', () => {
    for (const end of [';', ' ;', ' ; ']) {
      expect(argvOf(`-i {{in_1}} {{out_1}}${end}`)).to.deep.equal(argvOf('-i {{in_1}} {{out_1}}'))
    }
    for (const command of ['-i {{in_1}} ";" {{out_1}}', '-i {{in_1}} {{out_1}}";"', ';']) {
      expect(refusalOf(command), command).not.to.equal('accepted')
    }
  })

  it('takes what sends messages elsewhere at the end, but no file of its own', () => {
    const plain = argvOf('-i {{in_1}} {{out_1}}')
    const ends = '2>&1|2>/dev/null|> /dev/null 2>&1|&> /dev/null|</dev/null|< /dev/null 2>&1;'
    for (const end of ends.split('|')) {
      expect(argvOf(`-i {{in_1}} {{out_1}} ${end}`), end).to.deep.equal(plain)
    }
    for (const end of ['2> log.txt', '> {{out_1}}', '"2>&1"', '2>&1 | cat', '2>&1 x']) {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${end}`), end).not.to.equal('accepted')
    }
  })

  it('takes a placeholder behind a dot and a slash', () => {
    expect(argvOf('-i ./{{in_1}} "./{{out_1}}"')).to.deep.equal(argvOf('-i {{in_1}} {{out_1}}'))
  })

  it('takes it within a token too, where a file is named', () => {
    const pairs = [
      ['-vf subtitles=./{{in_2}}:force_style=Bold=1', '-vf subtitles={{in_2}}:force_style=Bold=1'],
      [`-vf "subtitles='./{{in_2}}'"`, `-vf "subtitles='{{in_2}}'"`],
      [`-vf subtitles='./{{in_2}}'`, `-vf subtitles='{{in_2}}'`],
      ['-vf "movie=./{{in_2}},scale=64:64"', '-vf "movie={{in_2}},scale=64:64"'],
    ]
    for (const [dotted = '', plain = ''] of pairs) {
      expect(argvOf(`-i {{in_1}} ${dotted} {{out_1}}`)).to.deep.equal(
        argvOf(`-i {{in_1}} ${plain} {{out_1}}`),
      )
    }
    expect(argvOf('-i "concat:./{{in_1}}|./{{in_2}}" {{out_1}}')).to.deep.equal(
      argvOf('-i "concat:{{in_1}}|{{in_2}}" {{out_1}}'),
    )
    expect(argvOf('-i {{in_1}} -map 0 -f tee "./{{out_1}}|[f=null]-"')).to.deep.equal(
      argvOf('-i {{in_1}} -map 0 -f tee "{{out_1}}|[f=null]-"'),
    )
    for (const path of ['../{{in_2}}', 'a./{{in_2}}', '/./{{in_2}}', './/{{in_2}}']) {
      expect(refusalOf(`-i {{in_1}} -vf subtitles=${path} {{out_1}}`)).to.contain('command_alias')
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
