import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createWarmMetrics } from './warm-metrics.ts'

describe('the metrics of the pool', () => {
  const created = () => {
    const registry = new Registry()
    const metrics = createWarmMetrics(registry)
    const values = async (name: string) => {
      const found = (await registry.getSingleMetric(`cloudffmpeg_${name}`)?.get())?.values ?? []
      return Object.fromEntries(
        found.map(({ labels, value }) => [Object.values(labels).join(), value]),
      )
    }
    return { metrics, values }
  }

  it('the metrics of the pool show what alerts count at 0 from the start', async () => {
    const { values } = created()
    expect(await values('warm_misses_total')).to.deep.equal({
      off: 0,
      round: 0,
      size: 0,
      plan: 0,
      namespace: 0,
      empty: 0,
      upload: 0,
    })
    expect(await values('warm_binds_total')).to.include({ bound: 0, taken: 0 })
    expect(await values('warm_failures_total')).to.include({ BackoffLimitExceeded: 0, quota: 0 })
    expect(await values('warm_off')).to.deep.equal({ setting: 0, kueue: 0, resize: 0 })
  })

  it('the metrics of the pool count sizes that a node defers or can never give, and no other reason', async () => {
    const { metrics, values } = created()
    for (const reason of ['Deferred', 'Infeasible', 'Deferred', 'Other'])
      metrics.resizePending(reason)
    expect(await values('warm_resizes_total')).to.deep.equal({
      done: 0,
      refused: 0,
      deferred: 2,
      infeasible: 1,
    })
  })

  it('the metrics of the pool count misses by their own reason again once the pool is on', async () => {
    const { metrics, values } = created()
    metrics.off('resize', true)
    metrics.missed('empty')
    metrics.off('resize', false)
    metrics.missed('empty')
    expect(await values('warm_misses_total')).to.include({ off: 1, empty: 1 })
  })
})
