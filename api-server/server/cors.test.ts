import { expect } from 'chai'
import { startTestApp, useApp } from '../app.fixture.ts'

describe('pages in a browser', () => {
  const origin = 'https://app.example'
  const app = useApp({ corsOrigins: [origin] })

  const ask = (method: string, headers: Record<string, string>, to = app) =>
    fetch(`${to.url}/v1/commands`, { method, headers })
  const preflight = (from: string, to = app) =>
    ask('OPTIONS', { Origin: from, 'Access-Control-Request-Method': 'POST' }, to)

  it('of a listed origin may call the API and read its headers', async () => {
    const asked = await preflight(origin)
    expect(asked.status).to.equal(204)
    expect(asked.headers.get('access-control-allow-origin')).to.equal(origin)
    expect(asked.headers.get('access-control-allow-headers')).to.match(/X-API-KEY.*Idempotency-Key/)
    for (const key of [app.key, 'wrong']) {
      const { headers } = await ask('GET', { Origin: origin, 'X-API-KEY': key })
      expect(headers.get('access-control-allow-origin')).to.equal(origin)
      expect(headers.get('access-control-expose-headers')).to.equal(
        'X-Request-Id, Retry-After, Idempotency-Replayed, Warning',
      )
      expect(headers.get('vary')).to.match(/Origin/)
    }
  })

  it('of any other origin may not', async () => {
    const asked = await preflight('https://evil.example')
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).to.deep.equal([
      405,
      null,
    ])
    expect(asked.headers.get('vary')).to.match(/Origin/)
  })

  it('may not call the API unless they are listed, and all may with *', async () => {
    const closed = await startTestApp()
    const open = await startTestApp({ corsOrigins: ['*'] })
    expect((await preflight(origin, closed)).headers.get('access-control-allow-origin')).to.equal(
      null,
    )
    expect((await preflight(origin, open)).headers.get('access-control-allow-origin')).to.equal('*')
    await closed.close()
    await open.close()
  })
})
