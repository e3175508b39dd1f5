import { expect } from 'chai'
import { createRegistry } from './metrics.ts'

describe('createRegistry', () => {
  it('names counters alone like counters, and keeps what they count by type', async () => {
    const registry = createRegistry({ component: 'test', version: '1' })
    const metrics = await registry.getMetricsAsJSON()
    const totals = metrics.filter(({ name }) => name.endsWith('_total'))
    expect(new Set(totals.map(({ type }) => String(type)))).to.deep.equal(new Set(['counter']))
    expect(totals.map(({ name }) => name)).to.include('process_cpu_seconds_total')
    expect(metrics.map(({ name }) => name)).to.include.members([
      'nodejs_active_handles',
      'nodejs_active_requests',
      'nodejs_active_resources',
    ])
  })
})
