import { expect } from 'chai'
import { rememberAccepted, reviewSource } from './accepted-texts.ts'
import type { CommandSource } from '../../../common/command-line/model/command-source.ts'

const source: CommandSource = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  inputCompressedFolder: null,
  outputFiles: { out_1: 'a.mp4' },
}

function counted() {
  let calls = 0
  const find = rememberAccepted((one, chained) => {
    calls += 1
    return reviewSource(one, chained)
  })
  return { find, calls: () => calls }
}

describe('commands that were accepted before', () => {
  it('checks a command once when only its URLs differ', () => {
    const { find, calls } = counted()
    const inputFiles = { in_1: 'https://media.example/b.mp4' }
    expect(find(source, false).mistakes).to.deep.equal([])
    expect(find({ ...source, inputFiles }, false).mistakes).to.deep.equal([])
    expect(calls()).to.equal(1)
  })

  const others: readonly [string, Partial<CommandSource>][] = [
    ['its text', { commands: ['-i {{in_1}} -nonsense {{out_2}}'] }],
    ['the name of an input', { inputFiles: { in_2: 'https://media.example/a.mp4' } }],
    ['the name of an output', { outputFiles: { out_1: '../a.mp4' } }],
    ['the alias of an output', { outputFiles: { out_2: 'a.mp4' } }],
    ['its folders', { outputFiles: null }],
  ]
  for (const [what, change] of others) {
    it(`answers as without memory when ${what} differs`, () => {
      const { find } = counted()
      find(source, false)
      const other = { ...source, ...change }
      expect(find(other, false)).to.deep.equal(reviewSource(other, false))
    })
  }

  it('checks a command again when it had a mistake', () => {
    const { find, calls } = counted()
    const wrong = { ...source, commands: ['-i {{in_9}} {{out_1}}'] }
    expect(find(wrong, false).mistakes).to.have.lengthOf(1)
    expect(find(wrong, false).mistakes).to.have.lengthOf(1)
    expect(calls()).to.equal(2)
  })

  it('forgets the oldest of more commands than it keeps', () => {
    const { find, calls } = counted()
    for (let width = 0; width <= 512; width += 1) {
      find({ ...source, commands: [`-i {{in_1}} -vf scale=${width + 2}:2 {{out_1}}`] }, false)
    }
    const before = calls()
    find({ ...source, commands: ['-i {{in_1}} -vf scale=2:2 {{out_1}}'] }, false)
    expect(calls()).to.equal(before + 1)
  })
})
