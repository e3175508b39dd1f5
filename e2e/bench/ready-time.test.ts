import { expect } from 'chai'
import { readyTime } from './ready-time.ts'

describe('readyTime', () => {
  it('reads the time of the line that says so', () => {
    const log = [
      '{"level":"info","timestamp":"2026-01-02T03:04:05.006Z","message":"assigned"}',
      '{"level":"info","timestamp":"2026-01-02T03:04:05.789Z","message":"ready to run"}',
      '',
    ].join('\n')
    expect(readyTime(log).toISOString()).to.equal('2026-01-02T03:04:05.789Z')
  })

  it('shows a log without that line', () => {
    expect(() => readyTime('{"message":"assigned"}\n')).to.throw('{"message":"assigned"}')
  })
})
