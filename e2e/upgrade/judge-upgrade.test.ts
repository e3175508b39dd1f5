import { expect } from 'chai'
import { judgeUpgrade, longestWait } from './judge-upgrade.ts'

describe('the judgement of an upgrade', () => {
  const clean = {
    commands: 175,
    refused: [],
    others: [],
    eventsMissing: 0,
    eventsTwice: 0,
    longestWaitSeconds: 4.2,
    check: { passed: true, output: 'The figures of 1 accounts are those of their rows.' },
  }
  const faults = (changed: Partial<typeof clean>) =>
    judgeUpgrade({ ...clean, ...changed }, longestWait).join('\n')

  it('finds no fault in a clean report', () => {
    expect(faults({})).to.equal('')
  })

  it('finds a check that failed, and shows what it printed', () => {
    const output = 'ACCOUNT  WHAT  KEPT  COUNTED\nacme  stored bytes  5  0'
    expect(faults({ check: { passed: false, output } })).to.equal(
      `'admin check' found a difference or failed: ${output}`,
    )
  })

  it('finds a wait above the longest, and one of a command that never began', () => {
    expect(faults({ longestWaitSeconds: 5.1 })).to.match(/waited 5\.1 s .* longer than 5 s/)
    expect(faults({ longestWaitSeconds: Infinity })).to.match(/waited Infinity s/)
    expect(judgeUpgrade({ ...clean, longestWaitSeconds: 9 }, 10)).to.deep.equal([])
  })

  it('finds refusals, other ends, lost and doubled events, and a run without commands', () => {
    const all = { eventsMissing: 1, eventsTwice: 2, refused: ['503' as never], commands: 0 }
    expect(faults(all).split('\n')).to.have.length(4)
    expect(faults({ longestWaitSeconds: -Infinity, commands: 0 })).to.equal(
      'no command was accepted',
    )
  })
})
