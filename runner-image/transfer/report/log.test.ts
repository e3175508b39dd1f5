import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createLog } from './log.ts'

describe("transfer's log", () => {
  function recorded() {
    const lines: string[] = []
    const log = createLog(createVirtualClock(), (line) => lines.push(line), { command_id: 'x' })
    return { log, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
  }

  it('the log has the command in every line, by the key that the servers use', () => {
    const { log, last } = recorded()
    log('info', 'requesting the assignment')
    expect(last()).to.include({ command_id: 'x', component: 'transfer', uptime_ms: 0 })
    log('warn', 'lost', { exit_code: 41 })
    expect(last()).to.include({ command_id: 'x', exit_code: 41 })
  })

  it('takes keys in snake_case alone', () => {
    const { log, last } = recorded()
    // @ts-expect-error: the key has a capital letter
    log('warn', 'lost', { exitCode: 41 })
    expect(last()).to.have.property('message', 'lost')
  })

  it('the log never contains the query of a presigned URL', () => {
    const { log, last } = recorded()
    log('warn', 'lost', { error: new Error('GET https://s3.example/a.mp4?X-Amz-Signature=abc') })
    expect(JSON.stringify(last())).to.not.contain('Signature')
  })
})
