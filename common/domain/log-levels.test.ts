import { expect } from 'chai'
import { createLogReader, levelOf, markedLine } from './log-levels.ts'
import type { LogLevel } from './log-levels.ts'

const levels: readonly LogLevel[] = ['error', 'warning', 'info']

describe('levels of log lines', () => {
  for (const level of levels) {
    it(`returns the line and its level when it was stored with ${level}`, () => {
      expect(levelOf(markedLine(level, '[error] a'))).to.deep.equal({ level, line: '[error] a' })
    })
  }

  const stored = `${markedLine('error', 'größer')}\n${markedLine('info', '[error] x')}\n${markedLine('warning', '')}\n`

  it('returns a text without marks when the client does not ask for levels', () => {
    expect(createLogReader(false)(stored)).to.equal('größer\n[error] x\n\n')
  })

  it('returns the same text in pieces of any length when levels are wanted', () => {
    const whole = '[error] größer\n[info] [error] x\n[warning] \n'
    for (let length = 1; length <= stored.length; length += 1) {
      const read = createLogReader(true)
      const pieces = Array.from({ length: Math.ceil(stored.length / length) }, (_, index) =>
        read(stored.slice(index * length, (index + 1) * length)),
      )
      expect(pieces.join(''), String(length)).to.equal(whole)
    }
    const read = createLogReader(true)
    expect([read(''), read('a'), read(''), read('b\n')].join('')).to.equal('[info] ab\n')
  })
})
