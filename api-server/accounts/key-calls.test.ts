import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import {
  runPath,
  startTestApp,
  submission,
  unknownId,
  useApp,
} from '../../testing/support/api/app.ts'
import { until } from '../../testing/support/until.ts'
import { field, fieldsOf } from '../checked-call.fixture.ts'

describe('keys of an account', () => {
  const app = useApp()
  let accounts = 0
  /** An account with one key, in another form than those that the service makes. */
  const open = async () => {
    accounts += 1
    const key = `key-of-account-${accounts}`
    await app.addAccount(`account-${accounts}`, 'pro', key)
    const as = (given: string) => ({
      call: (method: string, path: string, body?: object) =>
        app.call(path, { method, key: given, ...(body === undefined ? {} : { body }) }),
    })
    const list = async (given = key) => {
      const { body } = await app.call('/v1/keys', { key: given })
      return (body as unknown as unknown[]).map((one) => fieldsOf(one))
    }
    const make = async (body: object) => {
      const made = await app.call('/v1/keys', { method: 'POST', key, body })
      expect(made.status).to.equal(201)
      return { id: String(field(made.body, 'key_id')), key: String(field(made.body, 'api_key')) }
    }
    return { key, as, list, make }
  }
  const remove = (key: string, id: string) => app.call(`/v1/keys/${id}`, { method: 'DELETE', key })

  it('a list of keys does not have the keys themselves, and begins with the oldest', async () => {
    const { key, list, make } = await open()
    const made = await make({ label: ' laptop ' })
    const keys = await list()
    expect(JSON.stringify(keys)).not.to.contain(made.key)
    expect(keys.map((one) => [one['label'], one['prefix'], one['is_this_one']])).to.deep.equal([
      [null, null, true],
      ['laptop', made.key.slice(0, 8), false],
    ])
    expect((await list(made.key)).map((one) => one['is_this_one'])).to.deep.equal([false, true])
    expect((await app.call('/v1/keys', { key })).status).to.equal(200)
  })

  it('keys record when they were last used', async () => {
    const { list, make } = await open()
    const made = await make({ label: 'ci' })
    expect((await list())[1]?.['last_used_at']).to.equal(null)
    await app.call('/v1/usage', { key: made.key })
    // The record is written beside the request.
    const used = await until(async () => (await list())[1]?.['last_used_at'])
    expect(used).to.match(/^\d{4}-.*Z$/)
  })

  it('lets read-only keys read and validate but change nothing', async () => {
    const { make, as } = await open()
    const made = await make({ label: 'screen', read_only: true })
    const { call } = as(made.key)
    for (const path of ['/v1/commands', '/v1/usage', '/v1/keys', '/v1/files']) {
      expect((await call('GET', path)).status, path).to.equal(200)
    }
    expect((await call('POST', '/v1/validate-ffmpeg-command', submission)).status).to.equal(200)
    const refused = {
      status: 403,
      body: problemBody(
        403,
        'This key is read-only: it may read and validate; use another key for changes',
        'read_only_key',
      ),
    }
    const changes: [string, string, object?][] = [
      ['POST', runPath, submission],
      ['POST', `/v1/commands/${unknownId}/cancel`],
      ['DELETE', `/v1/commands/${unknownId}/files`],
      ['POST', '/v1/keys', { label: 'more' }],
      ['DELETE', `/v1/keys/${made.id}`],
      ['PUT', '/v1/webhook', { url: 'https://app.example/hook' }],
      ['DELETE', '/v1/account', { confirm: 'account-1' }],
    ]
    for (const [method, path, body] of changes) {
      expect(await call(method, path, body), `${method} ${path}`).to.deep.include(refused)
    }
    const webhook = await call('GET', '/v1/webhook')
    expect(webhook.body).to.include({
      detail: 'This key is read-only: it does not see the secret',
    })
  })

  it('expired keys are refused', async () => {
    const { list, make } = await open()
    const made = await make({ label: 'brief', expires_in_seconds: 60 })
    await app.query('expire', `update api_keys set expires_at = now() where key_id = $1`, [made.id])
    expect((await app.call('/v1/usage', { key: made.key })).status).to.equal(401)
    expect((await list())[1]).to.deep.include({ key_id: made.id, read_only: false })
    const body = { label: 'x', expires_in_seconds: 59 }
    expect((await app.post('/v1/keys', body)).status).to.equal(422)
    expect((await app.post('/v1/keys', { label: '  ' })).status).to.equal(422)
  })

  it('revoked keys are refused and no longer listed, and may be revoked again', async () => {
    const { key, list, make } = await open()
    const made = await make({ label: 'lost', read_only: true })
    for (const _ of ['first', 'again']) {
      expect((await remove(key, made.id.toUpperCase())).status).to.equal(204)
    }
    expect((await app.call('/v1/usage', { key: made.key })).status).to.equal(401)
    expect(await list()).to.have.length(1)
  })

  it('keys stay when they are the last one that may change something', async () => {
    const { key, list, make } = await open()
    await make({ label: 'screen', read_only: true })
    const [own] = await list()
    const id = String(own?.['key_id'])
    const refused = await remove(key, id)
    expect(refused.status).to.equal(409)
    expect(field(refused.body, 'detail')).to.match(
      /^This is the last key .* make another one first/,
    )
    const next = await make({ label: 'next' })
    const both = await Promise.all([remove(key, id), remove(next.key, next.id)])
    expect(both.map(({ status }) => status)).to.have.members([204, 409])
  })

  it('revokes keys of the own account alone', async () => {
    const [own, other] = [await open(), await open()]
    const [theirs] = await other.list()
    await own.make({ label: 'next' })
    expect((await remove(own.key, String(theirs?.['key_id']))).status).to.equal(404)
    expect((await remove(own.key, unknownId)).status).to.equal(404)
    expect((await remove(own.key, 'x')).status).to.equal(422)
    expect(await other.list()).to.have.length(1)
  })

  it('new keys have the environment_name of the key that made them', async () => {
    const { key, make } = await open()
    await app.query(
      'environment',
      `update api_keys set environment_name = 'staging' where account_id =
         (select account_id from accounts where name = $1)`,
      [`account-${accounts}`],
    )
    const made = await make({ label: 'x' })
    const [row] = await app.query(
      'made',
      'select environment_name from api_keys where key_id = $1',
      [made.id],
    )
    expect(row).to.deep.equal({ environment_name: 'staging' })
    expect(key).to.be.a('string')
  })

  it('new keys are not kept with the answer of an Idempotency-Key', async () => {
    const { key } = await open()
    const headers = { 'Idempotency-Key': 'make-one' }
    const make = () =>
      app.call('/v1/keys', { method: 'POST', key, headers, body: { label: 'secret' } })
    const [first, second] = [await make(), await make()]
    expect(field(first.body, 'api_key')).not.to.equal(field(second.body, 'api_key'))
    expect(first.headers.get('cache-control')).to.equal('private, no-store')
    expect(
      await app.query('kept', `select from idempotency_keys where key = 'make-one'`),
    ).to.have.length(0)
  })

  it('an account makes at most 100 valid keys', async () => {
    const { key } = await open()
    await app.query(
      'fill',
      `insert into api_keys (sha256, account_id)
       select sha256(n::text::bytea), (select account_id from accounts where name = $1)
       from generate_series(1, 99) n`,
      [`account-${accounts}`],
    )
    const refused = await app.call('/v1/keys', { method: 'POST', key, body: { label: 'x' } })
    expect(refused.status).to.equal(409)
    expect(field(refused.body, 'detail')).to.contain('revoke one first')
  })

  it('keys are made by an administrator alone unless the installation says otherwise', async () => {
    const { key } = await open()
    const replica = await startTestApp({ selfServiceKeys: false }, app)
    const refused = await replica.call('/v1/keys', { method: 'POST', key, body: { label: 'x' } })
    expect(refused.status).to.equal(403)
    expect(field(refused.body, 'detail')).to.contain('admin keys create ACCOUNT')
    await replica.close()
  })

  it('makes read-only and expiring keys so that the release before, which knows neither, refuses them', async () => {
    const { make } = await open()
    const made = [
      await make({ label: 'a', read_only: true }),
      await make({ label: 'b', expires_in_seconds: 60 }),
    ]
    const rows = await app.query<{ disabled: boolean }>(
      'older_program',
      `select disabled from api_keys where key_id = any($1::uuid[])`,
      [made.map(({ id }) => id)],
    )
    expect(rows).to.deep.equal([{ disabled: true }, { disabled: true }])
    for (const { key } of made) expect((await app.call('/v1/usage', { key })).status).to.equal(200)
  })
})
