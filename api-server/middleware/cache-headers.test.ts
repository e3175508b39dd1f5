import { expect } from 'chai'
import { Agent, interceptors, request } from 'undici'
import { unknownId, useApp } from '../../testing/support/api/app.ts'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { documented } from '../http/openapi.ts'

describe('answers behind a cache', () => {
  const app = useApp()
  const others = 'key-of-another'
  before(() => app.addAccount('another', 'pro', others))

  /** A cache that many clients share, such as a CDN, which keeps what does not forbid it. */
  const shared = new Agent().compose(
    interceptors.cache({ type: 'shared', cacheByDefault: 3_600, methods: ['GET', 'HEAD'] }),
  )
  after(() => shared.close())

  async function through(path: string, key: string | null) {
    const headers = key === null ? {} : { 'X-API-KEY': key }
    const answer = await request(app.url + path, { dispatcher: shared, headers })
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.json() }
  }

  it('answers behind a cache give no client the answer for another key', async () => {
    await app.submit()
    for (const path of ['/v1/webhook', '/v1/commands', '/v1/usage', '/v1/keys']) {
      const first = await through(path, app.key)
      const second = await through(path, others)
      expect([first.status, second.status], path).to.deep.equal([200, 200])
      expect(second.body, path).not.to.deep.equal(first.body)
      expect((await through(path, null)).status, path).to.equal(401)
    }
  })

  it('answers are kept by a cache where they need no key', async () => {
    const ids = [await through('/livez', null), await through('/livez', null)].map(
      ({ headers }) => headers['x-request-id'],
    )
    expect(ids[0]).to.equal(ids[1])
  })

  it('answers are private on each call that has a key, also when they refuse', async () => {
    const keyed = documented.filter(({ description }) => description['security'] === undefined)
    expect(keyed.length).to.be.greaterThan(30)
    for (const { path, method } of keyed) {
      if (path === '/v1/events') continue
      const where = path.replaceAll(/\{\w+\}/g, unknownId)
      for (const key of [app.key, null]) {
        const { headers } = await app.call(where, { method: method.toUpperCase(), key })
        const control = headers.get('cache-control')
        const said = `${method} ${path} ${key}`
        expect(control, said).to.be.oneOf(['private, no-store', 'private, no-cache'])
        if (control === 'private, no-cache') {
          expect([headers.get('vary'), headers.has('etag')], said).to.deep.equal([
            'X-API-KEY, Authorization',
            true,
          ])
        }
      }
    }
  })

  it('answers are not kept by a browser where they have a secret or a signed URL', async () => {
    const commandId = await app.submit({ is_private: true })
    await succeed(app, commandId)
    const signed = `/v1/commands/${commandId}?presigned_ttl_seconds=60`
    for (const path of ['/v1/webhook', '/v1/keys', signed]) {
      const { headers } = await app.call(path)
      expect([headers.get('cache-control'), headers.get('etag')], path).to.deep.equal([
        'private, no-store',
        null,
      ])
    }
  })

  it('answers behind a cache keep the ETag by which polls and lists are asked for again', async () => {
    const commandId = await app.submit()
    for (const path of [`/v1/commands/${commandId}`, '/v1/commands', '/v1/files']) {
      const { headers } = await app.call(path)
      expect(headers.get('cache-control'), path).to.equal('private, no-cache')
      expect(headers.get('etag'), path).to.match(/^"/)
    }
  })
})
