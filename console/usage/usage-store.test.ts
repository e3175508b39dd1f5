import { expect } from 'chai'
import { scriptedService, startMs, status } from '../shell/scripted-service.fixture.ts'
import { createUsageStore } from './usage-store.ts'

describe('the figures of the charts', () => {
  const history = { bucket: 'hour', from: '', to: '', buckets: [] }
  const opened = async (answer: () => unknown = () => history) => {
    const service = scriptedService()
    service.on('GET /v1/usage/history', answer)
    const store = createUsageStore(service.client, { span: '24h', by: 'hour' }, service.clock)
    await service.settle()
    const passes = async (ms: number) => {
      await service.clock.advance(ms)
      await service.settle()
    }
    return { service, store, passes }
  }

  it('reads the figures of the shown span at once', async () => {
    const { service, store } = await opened()
    expect(store.history.value).to.deep.equal(history)
    const { searchParams } = new URL(service.requests[0]?.slice('GET '.length) ?? '', 'http://x')
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      from: new Date(startMs - 23 * 3_600_000).toISOString(),
      to: new Date(startMs).toISOString(),
      bucket: 'hour',
    })
  })

  it('reads the figures again at most every 15 s while commands end', async () => {
    const { service, store, passes } = await opened()
    for (let second = 0; second < 30; second += 1) {
      store.readSoon()
      await passes(1_000)
    }
    expect(service.requests).to.have.length(3)
  })

  it('keeps the figures with the problem when a second read fails, until one succeeds', async () => {
    let isAway = false
    const { store, passes } = await opened(() => (isAway ? status(500, 'Internal error') : history))
    isAway = true
    store.readNow()
    await passes(0)
    expect([store.problem.value, store.history.value]).to.deep.equal(['Internal error.', history])
    isAway = false
    store.readNow()
    await passes(0)
    expect(store.problem.value).to.equal(null)
  })

  it('reads no figures after the page was left', async () => {
    const { service, store, passes } = await opened()
    store.readSoon()
    store.close()
    store.readSoon()
    await passes(60_000)
    expect(service.requests).to.have.length(1)
    expect(store.problem.value).to.equal(null)
  })
})
