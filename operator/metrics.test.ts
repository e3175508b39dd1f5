import { expect } from 'chai'
import { Registry } from 'prom-client'
import { failures } from '../common/domain/failures.ts'
import { lossReasons } from './status/loss.ts'
import { operatorMetrics } from './metrics.ts'

/** An alert on an increase is blind to what a series begins with. */
describe('the counters of the operator that alerts read', () => {
  const created = () => {
    const registry = new Registry()
    const metrics = operatorMetrics(registry)
    const values = async (name: string) => {
      const { values: found = [] } = (await registry.getSingleMetric(name)?.get()) ?? {}
      return found.map(({ labels, value }) => [Object.values(labels).join(' '), value] as const)
    }
    return { metrics, values }
  }

  it('the counters show every end of a command at 0 first, and then count in the same series', async () => {
    const { metrics, values } = created()
    const name = 'cloudffmpeg_commands_finished_total'
    const first = new Map(await values(name))
    expect([...first.keys()]).to.include.members([
      'SUCCESS none none',
      'FAILED START_TIMEOUT service',
      'FAILED STORAGE_ERROR destination',
    ])
    expect(first.size).to.equal(1 + Object.keys(failures).length)
    expect(new Set(first.values())).to.deep.equal(new Set([0]))
    const at = new Date(0)
    const ended = { status: 'FAILED', errorStatus: 'START_TIMEOUT', createdAt: at } as const
    metrics.controller.commandFinished({ ...ended, finishedAt: at })
    const after = new Map(await values(name))
    expect(after.size).to.equal(first.size)
    expect(after.get('FAILED START_TIMEOUT service')).to.equal(1)
  })

  it('the counters show every reason of a loss at 0', async () => {
    const { values } = created()
    expect(await values('cloudffmpeg_attempts_lost_total')).to.deep.equal(
      Object.keys(lossReasons).map((reason) => [reason, 0]),
    )
  })

  it('the counters show both ends of a term at 0', async () => {
    const { values } = created()
    expect(await values('cloudffmpeg_leader_terms_total')).to.deep.equal([
      ['lost', 0],
      ['released', 0],
    ])
  })
})
