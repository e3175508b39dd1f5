import { expect } from 'chai'
import { runnerTimes } from './runner-times.ts'

describe('runnerTimes', () => {
  const log = [
    'a line of another kind',
    '{"timestamp":"2026-01-02T03:04:05.250Z","uptime_ms":150,"message":"assigned"}',
    '{"timestamp":"2026-01-02T03:04:05.789Z","uptime_ms":689,"message":"ready to run"}',
    '',
  ].join('\n')
  const second = Date.UTC(2026, 0, 2, 3, 4, 5)

  it('finds the start of the process and the time of each message', () => {
    const times = runnerTimes(log)
    expect(times.started - second).to.equal(100)
    expect(times.at('ready to run') - second).to.equal(789)
    expect(Number.isNaN(times.at('reported'))).to.equal(true)
  })

  it('shows a log without any time', () => {
    expect(() => runnerTimes('{"message":"assigned"}\n')).to.throw('{"message":"assigned"}')
  })
})
