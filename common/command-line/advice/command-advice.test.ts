import { expect } from 'chai'
import { planCommands } from '../plan/plan-commands.ts'
import { commandAdvice } from './command-advice.ts'

describe('what is said of a command that is accepted', () => {
  const inputs = (count: number) => Array.from({ length: count }, (_, at) => `in_${String(at + 1)}`)

  function said(commands: string[], inputAliases: string[]): string[] {
    const chained = commands.length > 1
    const submission = { commands, inputAliases, outputs: { out_1: 'a.mp4', out_2: 'b.mp4' } }
    const planned = planCommands({ ...submission, inputFolder: false, chained })
    if (!planned.ok) throw new Error(planned.errors[0]?.message)
    const advice = commandAdvice(planned.plan, { chained, declaredInputs: inputAliases })
    return advice.map(({ message }) => message)
  }
  const both = '-i {{in_1}} {{out_1}} {{out_2}}'

  it('a command has no advice where all is used', () => {
    expect(said([both], inputs(1))).to.deep.equal([])
  })

  it('names an input that is not used', () => {
    expect(said([both], inputs(2))).to.deep.equal([
      'in_2 is not used by any command; it will not be fetched',
    ])
  })

  it('the advice is one sentence for 199 inputs that are not used', () => {
    expect(said([both], inputs(200))).to.deep.equal([
      'in_2, in_3, in_4, in_5, in_6 and 194 more are not used by any command; they will not be fetched',
    ])
  })

  it('names the command of a chain', () => {
    const second = '-i {{in_1}} -vf scael=2:2 {{out_2}}'
    expect(said(['-i {{in_1}} {{out_1}}', second], inputs(1))).to.deep.equal([
      "FFmpeg has no filter 'scael' in command 1; did you mean 'scale'?",
    ])
  })

  it('the advice has the code of its warning where the command would succeed', () => {
    const planned = planCommands({
      commands: ["-i {{in_1}} -c:v libx265 -vf drawtext=text='50% off' {{out_1}} -t 1"],

      inputAliases: ['in_1'],
      outputs: { out_1: 'a.mp4' },
      inputFolder: false,
      chained: false,
    })
    if (!planned.ok) throw new Error(planned.errors[0]?.message)
    const advice = commandAdvice(planned.plan, { chained: false, declaredInputs: ['in_1'] })
    expect(advice.map(({ code, alias }) => `${code} ${alias}`)).to.deep.equal([
      'TRAILING_OPTIONS null',
      'STRAY_PERCENT null',
      'HEVC_TAG out_1',
    ])
  })

  it('names what cannot be seen, what is escaped, another encoder and another font', () => {
    for (const [option, words] of [
      ['-c:v libx264\u200b', "no encoder 'libx264<U+200B>'; did you mean 'libx264'?"],
      ['-c:a libfdk_aac', "FFmpeg has no encoder 'libfdk_aac'; use 'aac'"],
      ['-metadata title=A&amp;B', "-metadata holds '&amp;', as text escaped for HTML does"],
      ['-vf drawtext=text=a:fontfile=/usr/share/fonts/x.ttf', 'draws with another one; send the'],
    ] as const) {
      const texts = said([`-i {{in_1}} ${option} {{out_1}} {{out_2}}`], inputs(1)).join('\n')
      expect(texts, option).to.contain(words)
    }
  })
})
