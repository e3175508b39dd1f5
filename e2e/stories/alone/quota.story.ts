import { expect } from 'chai'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

describe('an account’s vCPU quota', () => {
  const env = useEnvironment()

  it('keeps a second command QUEUED with a reason until the first one is done', async () => {
    const first = await env.client.submit({ ...runsFor(8), vcpu_count: 8 })
    await untilFfmpegRuns(env.client, first.command_id)
    const second = await env.client.submit({ ...runsFor(1), vcpu_count: 8 })
    const waiting = await eventually('the second command says what it waits for', async () => {
      const text = await env.kubectl('get', 'ffc', `ffc-${second.command_id}`, '-o', 'json')
      const { status } = JSON.parse(text) as { status?: Record<string, unknown> }
      return status?.['reason'] === 'WaitingForQuota' && status
    })
    expect(waiting).to.include({ state: 'QUEUED', queuePosition: 1 })
    const record = await env.client.getCommand(second.command_id)
    expect(record).to.include({ status: 'QUEUED', queue_position: 1, attempts: 0 })

    const done = await untilEnd(env.client, first.command_id)
    expect(done.status).to.equal('SUCCESS')
    const later = await untilEnd(env.client, second.command_id)
    expect(later.status).to.equal('SUCCESS')
    expect(Date.parse(later.started_at ?? '')).to.be.greaterThan(Date.parse(done.finished_at ?? ''))
  })
})
