import { expect } from 'chai'
import { problemBody } from './http/refusal-codes.ts'
import { startTestApp, unknownId, useApp } from '../testing/support/api/app.ts'
import { checkedCall } from './checked-call.fixture.ts'
import { documented } from './http/openapi.ts'
import { createPostgresStore } from '../common/database/postgres-store.ts'
import { testPool } from '../testing/support/database.ts'

describe('the REST API', () => {
  const app = useApp()

  it('sets a request id, or keeps that of the request', async () => {
    const own = await app.call('/livez', { headers: { 'X-Request-Id': 'trace-7' } })
    expect(own.headers.get('x-request-id')).to.equal('trace-7')
    const odd = await app.call('/livez', { headers: { 'X-Request-Id': 'x'.repeat(129) } })
    expect(odd.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
  })

  it('serves each path of its description, and answers 405 to other methods', async () => {
    const byPath = Map.groupBy(documented, ({ path }) => path)
    for (const [path, operations] of byPath) {
      // Registration and deletion of accounts are settings.
      if (['/v1/accounts', '/v1/accounts/activate'].includes(path)) continue
      const where = path.replaceAll(/\{\w+\}/g, unknownId)
      const { status, headers } = await app.call(where, { method: 'OPTIONS', key: null })
      const methods = operations.map(({ method }) => method.toUpperCase())
      const allow = (headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD')
      expect([status, allow.toSorted()], path).to.deep.equal([405, methods.toSorted()])
    }
  })

  it('forbids browsers to guess the type of any answer', async () => {
    for (const path of ['/', '/livez', '/docs', '/v1/usage', '/v1/jobs', '/openapi.json', '/%zz']) {
      const { headers } = await fetch(app.url + path)
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff')
    }
  })

  it('serves its description without a key', async () => {
    const { body } = await app.call('/openapi.json', { key: null })
    expect(body).to.deep.include({ openapi: '3.1.0' })
  })
})

describe('the REST API without its database', () => {
  it('answers 503 with Retry-After on every call that needs it, and stays alive', async () => {
    const nowhere = testPool('postgres://postgres@127.0.0.1:1/none')
    const app = await startTestApp({ store: createPostgresStore(nowhere) })
    for (const path of ['/v1/commands', '/readyz']) {
      const { status, headers, body } = await app.call(path)
      expect([status, headers.get('retry-after'), body]).to.deep.equal([
        503,
        '1',
        problemBody(503, 'Service temporarily unavailable'),
      ])
    }
    expect((await checkedCall(app.url, '/livez')).status).to.equal(200)
    expect((await checkedCall(app.url, '/v1/jobs')).status).to.equal(404)
    await app.close()
    await nowhere.close()
  })

  it('answers 503 until it has started, and closes connections while it stops', async () => {
    const readiness: { state: 'starting' | 'serving' | 'draining' } = { state: 'starting' }
    const app = await startTestApp({ readiness })
    expect((await app.call('/v1/commands')).status).to.equal(503)
    expect((await app.call('/readyz')).status).to.equal(503)
    readiness.state = 'draining'
    const { status, headers } = await app.call('/v1/commands')
    expect([status, headers.get('connection')]).to.deep.equal([200, 'close'])
    expect((await app.call('/readyz')).status).to.equal(503)
    await app.close()
  })
})
