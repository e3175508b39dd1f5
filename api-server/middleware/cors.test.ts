import { expect } from 'chai'
import { startTestApp, useApp } from '../../testing/support/api/app.ts'

describe('pages in a browser', () => {
  const origin = 'https://app.example'
  const app = useApp({ corsOrigins: [origin] })

  const send = (method: string, headers: Record<string, string>, to = app) =>
    fetch(`${to.url}/v1/commands`, { method, headers })
  const preflight = (from: string, to = app) =>
    send('OPTIONS', { Origin: from, 'Access-Control-Request-Method': 'POST' }, to)

  it('lets a listed origin call the API and read its headers', async () => {
    const answer = await preflight(origin)
    expect(answer.status).to.equal(204)
    expect(answer.headers.get('access-control-allow-origin')).to.equal(origin)
    expect(answer.headers.get('access-control-allow-headers')).to.match(
      /X-API-KEY.*Idempotency-Key/,
    )
    for (const key of [app.key, 'wrong']) {
      const { headers } = await send('GET', { Origin: origin, 'X-API-KEY': key })
      expect(headers.get('access-control-allow-origin')).to.equal(origin)
      expect(headers.get('access-control-expose-headers')).to.equal(
        'X-Request-Id, Retry-After, Idempotency-Replayed, Warning, X-Ignored-Parameters',
      )
      expect(headers.get('vary')).to.match(/Origin/)
    }
  })

  it('the API is not called by pages of any other origin', async () => {
    const answer = await preflight('https://evil.example')
    const allowed = answer.headers.get('access-control-allow-origin')
    expect([answer.status, allowed]).to.deep.equal([405, null])
    expect(answer.headers.get('vary')).to.match(/Origin/)
  })

  it('lets only listed origins call the API, and all with *', async () => {
    for (const [corsOrigins, allowed] of [
      [[], null],
      [['*'], '*'],
    ] as const) {
      const own = await startTestApp({ corsOrigins })
      const { headers } = await preflight(origin, own)
      expect(headers.get('access-control-allow-origin')).to.equal(allowed)
      await own.close()
    }
  })
})
