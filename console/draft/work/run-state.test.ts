import { expect } from 'chai'
import { runStep, runWords } from './run-state.ts'
import type { RunFacts } from './run-state.ts'

const ready: RunFacts = {
  isBlank: false,
  missing: [],
  gone: [],
  uploading: [],
  isSending: false,
  isArmed: false,
  wrong: 0,
  warnings: 0,
  planError: null,
  isAway: false,
  isChecked: true,
}

/** Facts in the order in which their words are shown, the most important first. */
const causes: readonly (readonly [change: Partial<RunFacts>, words: string])[] = [
  [{ isBlank: true }, 'Write a command first'],
  [{ isSending: true }, 'Sending'],
  [{ isArmed: true, uploading: ['a.mov', 'b.mov'] }, 'Runs as soon as a.mov, b.mov is uploaded'],
  [{ gone: ['in_1', 'in_2'] }, 'in_1, in_2: the service has deleted the file'],
  [{ planError: 'Plan free has no chains' }, 'Plan free has no chains'],
  [{ wrong: 2 }, '2 problems'],
  [{ missing: ['in_1', 'in_2'] }, 'in_1, in_2 have no file yet'],
  [{ isAway: true }, 'The service does not answer; the text alone was checked'],
  [{ isChecked: false }, 'Checking'],
  [{ warnings: 2 }, '2 warnings'],
]

describe('runStep', () => {
  it('runStep submits a command whose files are there, and arms it while one of them is uploaded', () => {
    expect(runStep(ready)).to.equal('submit')
    expect(runStep({ ...ready, uploading: ['a.mov'] })).to.equal('arm')
  })

  it('runStep returns null when there is no command, a file is missing or deleted, or the command is being sent', () => {
    for (const change of [
      { isBlank: true },
      { missing: ['in_1'] },
      { gone: ['in_1'] },
      { isSending: true },
    ]) {
      expect(runStep({ ...ready, ...change }), JSON.stringify(change)).to.equal(null)
      expect(runStep({ ...ready, uploading: ['a.mov'], ...change })).to.equal(null)
    }
  })

  it('runStep submits in spite of problems, a refusal of the plan or an unfinished check', () => {
    for (const change of [
      { wrong: 3 },
      { planError: 'x' },
      { isAway: true },
      { isChecked: false },
    ]) {
      expect(runStep({ ...ready, ...change }), JSON.stringify(change)).to.equal('submit')
    }
  })
})

describe('runWords', () => {
  it('runWords says that a draft was checked when nothing is wrong with it', () => {
    expect(runWords(ready)).to.equal('Checked')
  })

  for (const [change, words] of causes) {
    it(`runWords says "${words}" when ${JSON.stringify(change)} alone holds`, () => {
      expect(runWords({ ...ready, ...change })).to.equal(words)
    })
  }

  it('runWords says the most important of two causes', () => {
    for (const [index, [more, words]] of causes.entries()) {
      for (const [less] of causes.slice(index + 1)) {
        const facts = { ...ready, ...less, ...more }
        expect(runWords(facts), JSON.stringify([more, less])).to.equal(words)
      }
    }
  })

  it('runWords says one problem in the singular', () => {
    expect(runWords({ ...ready, wrong: 1 })).to.equal('1 problem')
    expect(runWords({ ...ready, warnings: 1 })).to.equal('1 warning')
  })
})
