import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createHttpMetrics } from './metrics.ts'

describe('the counter of answered requests', () => {
  it('shows the errors of a route at 0 from its first answer, so that an alert sees their increase', async () => {
    const registry = new Registry()
    const metrics = createHttpMetrics(registry)
    const answered = (status: number) =>
      metrics.answered({ route: '/v1/commands', method: 'GET', status, seconds: 0.1 })
    const counts = async () => {
      const metric = registry.getSingleMetric('cloudffmpeg_http_requests_total')
      const { values = [] } = (await metric?.get()) ?? {}
      return Object.fromEntries(values.map(({ labels, value }) => [String(labels['code']), value]))
    }
    answered(200)
    expect(await counts()).to.deep.equal({ '200': 1, '500': 0, '503': 0 })
    answered(503)
    answered(503)
    expect(await counts()).to.deep.equal({ '200': 1, '500': 0, '503': 2 })
  })
})
