import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { pro, useApp } from '../../testing/support/api/app.ts'
import { checkedCall, field, refusalOf } from '../checked-call.fixture.ts'
import { fail } from '../../testing/support/api/outcomes.ts'
import { answering, startReceiver } from './receiver.fixture.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import type { Answered, Sent } from '../checked-call.fixture.ts'
import type { Answer } from './receiver.fixture.ts'
import type { ServerResponse } from 'node:http'

const url = 'https://app.example/hook'

describe('the webhook calls', () => {
  let nowMs = 0
  const clock = { ...systemClock, monotonicMs: () => nowMs }
  const app = useApp({
    // The bucket of `tight` holds one read, and is full again after a week.
    plans: { pro, bare: { ...pro, webhooks: false }, endless: { ...pro, readsPerMinute: null } },
    effects: { ...systemEffects(), clock },
  })
  let key: string
  let accounts = 0
  before(() => app.addAccount('bare', 'bare', 'key-of-bare'))
  beforeEach(async () => {
    accounts += 1
    key = `key-of-account-${accounts}`
    await app.addAccount(`account-${accounts}`, 'pro', key)
  })

  const call = (path: string, sent: Sent = {}): Promise<Answered> =>
    checkedCall(app.url, path, { key, ...sent })
  const get = () => call('/v1/webhook')
  const put = (body: unknown, sent: Sent = {}) =>
    call('/v1/webhook', { method: 'PUT', body, ...sent })
  const test = (sent: Sent = {}) => call('/v1/webhook/test', { method: 'POST', ...sent })

  it('the webhook calls return a secret but no URL before the first PUT', async () => {
    const { status, body } = await get()
    expect(status).to.equal(200)
    expect(body).to.deep.include({ url: null, events: ['command.finished'] })
    expect(field(body, 'secret')).to.match(/^whsec_/)
  })

  it('the webhook calls replace URL and events with each PUT, and keep the secret', async () => {
    const secret = field((await get()).body, 'secret')
    const all = ['file.stored', 'command.finished', 'file.failed']
    const set = await put({ url: ` ${url} `, events: [...all, 'file.stored'] })
    expect(set.body).to.deep.include({ url, events: all, secret })
    expect((await get()).body).to.deep.equal(set.body)
    const again = await put({ url: 'http://app.example:8080/', events: null, more: 1 })
    expect(again.body).to.deep.include({
      url: 'http://app.example:8080/',
      events: ['command.finished'],
      secret,
    })
  })

  it('the webhook calls rotate the secret when the request says so', async () => {
    const first = field((await put({ url, rotate_secret: 'false' })).body, 'secret')
    const second = field((await put({ url, rotate_secret: true })).body, 'secret')
    expect(first).not.to.equal(second)
    expect(field((await get()).body, 'secret')).to.equal(second)
  })

  it('the webhook calls limit tests and redeliveries to ten a minute, so that no client scans hosts', async () => {
    await app.addAccount('scanner', 'endless', 'key-of-scanner')
    const key = 'key-of-scanner'
    const redelivery = '/v1/webhook/deliveries/wh_1/redeliver'
    for (let count = 0; count < 5; count += 1) {
      expect((await test({ key })).status).to.equal(404)
      expect((await app.call(redelivery, { method: 'POST', key })).status).to.equal(404)
    }
    const { status, body } = await test({ key })
    expect(status).to.equal(429)
    expect(field(body, 'detail')).to.match(/^Rate limit exceeded: 10 webhook requests a minute/)
  })

  it('the webhook calls reject an invalid webhook', async () => {
    const refused: [unknown, string][] = [
      [{}, 'body.url missing'],
      [{ url: null }, 'body.url string_type'],
      [{ url: 'app.example' }, 'body.url url_parsing'],
      [{ url: 'ftp://app.example/' }, 'body.url url_parsing'],
      [{ url: 'https://user:pw@app.example/' }, 'body.url url_parsing'],
      [{ url: `https://app.example/${'a'.repeat(8_192)}` }, 'body.url url_parsing'],
      [{ url, events: [] }, 'body.events too_short'],
      [{ url, events: ['command.started'] }, 'body.events.0 enum'],
      [{ url, events: 'command.finished' }, 'body.events list_type'],
      [{ url, rotate_secret: 'maybe' }, 'body.rotate_secret bool_parsing'],
      ['[]', 'body dict_type'],
      ['{', 'body json_invalid'],
    ]
    for (const [body, place] of refused) {
      expect(refusalOf(await put(body))).to.deep.equal([422, place])
    }
    expect((await get()).body).to.include({ url: null })
  })

  it('the webhook calls remove the URL, also when none is set', async () => {
    const secret = field((await put({ url, events: ['file.stored'] })).body, 'secret')
    for (let times = 0; times < 2; times++) {
      expect((await call('/v1/webhook', { method: 'DELETE' })).status).to.equal(204)
    }
    expect((await get()).body).to.deep.include({ url: null, events: ['command.finished'], secret })
  })

  it('the webhook calls end pending events of the former URL, or move them when the request says so', async () => {
    const listed = async () => (await call('/v1/webhook/deliveries')).body as readonly unknown[]
    await put({ url })
    await fail(app, await app.submit({}, { key }))
    await put({ url: `${url}/2`, move_pending: true })
    const [moved] = await listed()
    expect(moved).to.deep.include({ url: `${url}/2`, status: 'PENDING', attempts: [] })
    await call('/v1/webhook', { method: 'DELETE' })
    const [ended] = await listed()
    expect(ended).to.deep.include({ status: 'FAILED', next_attempt_at: null })
    expect(field(field(ended, 'attempts'), '0')).to.deep.include({
      response_status: null,
      error: 'Not sent: the webhook URL was removed',
    })
  })

  it('the webhook calls return 403 outside the plan, except to read and to remove', async () => {
    const bare = { key: 'key-of-bare' }
    for (const answered of [await put({ url }, bare), await test(bare)]) {
      expect(refusalOf(answered)).to.deep.equal([403, "Plan 'bare' does not include webhooks"])
    }
    expect((await put({ url: 1 }, bare)).status).to.equal(422)
    expect((await call('/v1/webhook', bare)).status).to.equal(200)
    expect((await call('/v1/webhook', { method: 'DELETE', ...bare })).status).to.equal(204)
    expect((await call('/v1/webhook/deliveries', bare)).body).to.deep.equal([])
  })

  it('the webhook calls need a key', async () => {
    for (const [method, path] of [
      ['GET', '/v1/webhook'],
      ['PUT', '/v1/webhook'],
      ['DELETE', '/v1/webhook'],
      ['POST', '/v1/webhook/test'],
      ['GET', '/v1/webhook/deliveries'],
    ] as const) {
      expect((await call(path, { method, key: 'wrong' })).status, `${method} ${path}`).to.equal(401)
    }
  })

  describe('POST /v1/webhook/test', () => {
    it('answers 404 when no URL is set', async () => {
      expect((await test()).status).to.equal(404)
    })

    it('answers 429 while two tests of the account wait for their answers, and other accounts go on', async () => {
      const waiting: ServerResponse[] = []
      const receiver = await startReceiver((response) => void waiting.push(response))
      await put({ url: receiver.url })
      const first = [test(), test()]
      await receiver.arrived(2)
      const third = await test()
      expect(refusalOf(third)).to.deep.equal([
        429,
        '2 tests of this account wait for their answers; send another one after them, in 15 s at the latest',
      ])
      expect(third.headers.get('retry-after')).to.equal('15')
      await app.addAccount('another', 'pro', 'key-of-another')
      expect((await test({ key: 'key-of-another' })).status).to.equal(404)
      for (const response of waiting) response.writeHead(204).end()
      for (const one of first) expect((await one).body).to.deep.include({ ok: true })
      const later = [test(), test()]
      await receiver.arrived(4)
      for (const response of waiting.slice(2)) response.writeHead(204).end()
      for (const one of later) expect((await one).status).to.equal(200)
      await receiver.close()
    })

    it('sends one signed event and returns the result', async () => {
      const late: Answer = (response) => {
        nowMs += 120
        response.writeHead(204).end()
      }
      const receiver = await startReceiver(late, answering(500))
      const secret = String(field((await put({ url: receiver.url })).body, 'secret'))
      const good = await test()
      expect(good.body).to.deep.include({ ok: true, response_status: 204, error: null })
      expect(field(good.body, 'duration_ms')).to.equal(120)
      const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
      expect(field(field(verified, 'data'), 'status')).to.equal('SUCCESS')
      expect(headers).to.include({
        'content-type': 'application/json',
        'user-agent': 'cloud-ffmpeg/test',
        'webhook-event': 'command.finished',
      })
      expect((await test()).body).to.deep.include({ ok: false, response_status: 500 })
      expect(receiver.received).to.have.length(2)
      await receiver.close()
      expect((await test()).body).to.deep.include({
        ok: false,
        response_status: null,
        error: 'The URL refused the connection',
      })
      expect((await call('/v1/webhook/deliveries')).body).to.deep.equal([])
    })
  })

  describe('GET /v1/webhook/deliveries', () => {
    it('lists the newest first, by state and page', async () => {
      await call('/v1/webhook', { method: 'PUT', body: { url }, key: app.key })
      const ids: string[] = []
      for (let index = 0; index < 3; index++) {
        const id = await app.submit()
        await fail(app, id)
        ids.unshift(id)
      }
      const list = async (query: string) =>
        (await app.list(`/v1/webhook/deliveries${query}`)).map((one) => one['command_id'])
      expect(await list('')).to.deep.equal(ids)
      expect(await list('?status=PENDING')).to.deep.equal(ids)
      expect(await list('?status=FAILED')).to.deep.equal([])
      expect(await list('?limit=1&offset=1')).to.deep.equal(ids.slice(1, 2))
      expect(await list('?offset=3')).to.deep.equal([])
      expect(await list('?event=file.stored')).to.deep.equal([])
      expect(await list(`?command_id=${ids[1]?.toUpperCase()}`)).to.deep.equal([ids[1]])
      expect(await list(`?command_id=${ids[1]}&event=file.stored`)).to.deep.equal([])
      expect(await list(`?command_id=${ids[1]}&offset=1`)).to.deep.equal([])
      const [delivery] = await app.list('/v1/webhook/deliveries?limit=1')
      expect(delivery).to.deep.include({
        event: 'command.finished',
        file_id: null,
        url,
        status: 'PENDING',
        attempts: [],
      })
      expect(field(delivery, 'webhook_id')).to.match(/^msg_[0-9a-f-]{36}$/)
      // Deliveries of another account are not listed.
      expect((await call('/v1/webhook/deliveries')).body).to.deep.equal([])
    })

    it('rejects an invalid page and an invalid state', async () => {
      for (const query of [
        'limit=0',
        'limit=1001',
        'limit=x',
        'offset=-1',
        'status=SENT',
        'event=x',
        'command_id=17',
      ]) {
        expect((await call(`/v1/webhook/deliveries?${query}`)).status, query).to.equal(422)
      }
    })
  })
})
