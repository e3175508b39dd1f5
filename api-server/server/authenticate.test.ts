import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { systemClock } from '../../common/runtime/system-effects.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { unknownId, useApp, runPath } from '../../testing/support/api/app.ts'
import { createAuthenticate } from './authenticate.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { testPool } from '../../testing/support/database.ts'
import { Registry } from 'prom-client'
import { createUnknownKeyMetrics } from './unknown-keys.ts'

describe('keys', () => {
  const app = useApp()

  const calls: [string, string][] = [
    ['POST', runPath],
    ['GET', '/v1/commands'],
    ['GET', `/v1/commands/${unknownId}`],
  ]
  for (const [method, where] of calls) {
    it(`returns 401 for ${method} ${where} before any other check when the key is missing or unknown`, async () => {
      const refused = (remedy: string) => ({
        status: 401,
        body: problemBody(401, `Invalid authorization key: ${remedy}`),
      })
      const missing = refused('the request has no X-API-KEY header')
      const unknown = refused(
        'no account has the key in the X-API-KEY header; it may be revoked or cut short',
      )
      const body = method === 'POST' ? { body: 'x'.repeat(600_000) } : {}
      expect(await app.call(where, { method, key: null, ...body })).to.deep.include(missing)
      expect(await app.call(where, { method, key: 'cff_wrong' })).to.deep.include(unknown)
      expect(await app.call(where, { method, key: ' ' })).to.deep.include(missing)
      const headers = { Authorization: `Bearer ${app.key}` }
      expect((await app.call(where, { method, key: null, headers })).body).to.deep.equal(
        problemBody(401, 'Invalid authorization key: send the key in the X-API-KEY header'),
      )
    })
  }

  it('accepts keys with blanks around them and headers in any case', async () => {
    const headers = { 'x-Api-kEY': `  ${app.key} ` }
    expect((await app.call('/v1/commands', { key: null, headers })).status).to.equal(200)
  })

  it('accepts a new key at once and rejects a disabled one after five seconds', async () => {
    let now = 0
    const clock = { ...systemClock, monotonicMs: () => now }
    const database = testPool(app.database.connectionString)
    const store = createPostgresStore(database)
    const metrics = createUnknownKeyMetrics(new Registry())
    const authenticate = createAuthenticate({ store, clock, metrics })
    const passes = async () =>
      (await rejectionOf(authenticate({ 'x-api-key': 'key-of-brief' }, () => '192.0.2.1'))) === null
    await app.addAccount('brief', 'pro', 'key-of-brief')
    expect(await passes()).to.equal(true)
    const disable = `update api_keys set disabled = true
      where account_id = (select account_id from accounts where name = 'brief')`
    await database.query('disable', disable)
    now = 4_999
    expect(await passes()).to.equal(true)
    now = 5_000
    expect(await passes()).to.equal(false)
    await database.close()
  })
})
