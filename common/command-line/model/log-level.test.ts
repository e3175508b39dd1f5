import { expect } from 'chai'
import { wantedLog } from './log-level.ts'

describe('the level of a stored log', () => {
  const cases: [string | null, number, boolean][] = [
    [null, 32, false],
    ['error', 16, false],
    ['quiet', -8, false],
    ['48', 48, false],
    ['-8', -8, false],
    ['level+warning', 24, true],
    ['repeat+level+trace', 56, true],
    ['+level', 32, true],
    ['nonsense', 32, false],
  ]
  for (const [value, level, isMarked] of cases) {
    it(`the level of a log is ${String(level)} with ${value === null ? 'no -loglevel' : `-loglevel ${value}`}`, () => {
      expect(wantedLog(value)).to.deep.equal({ level, isMarked })
    })
  }
})
