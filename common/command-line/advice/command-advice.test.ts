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

  it('is nothing where all is used', () => {
    expect(said([both], inputs(1))).to.deep.equal([])
  })

  it('names an input that is not used', () => {
    expect(said([both], inputs(2))).to.deep.equal([
      'in_2 is not used by any command; it will not be fetched',
    ])
  })

  it('is one sentence for 199 inputs that are not used', () => {
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
})
