import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { pro, startTestApp } from '../../testing/support/api/app.ts'
import { field, fieldsOf, refusalOf } from '../checked-call.fixture.ts'
import { fail } from '../../testing/support/api/outcomes.ts'
import { answering, startReceiver } from './receiver.fixture.ts'
import { startSender } from './sender.fixture.ts'
import { nextAttemptInSeconds } from './attempt-delivery.ts'
import { systemClock } from '../../common/runtime/system-effects.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { SendNow } from './one-delivery.ts'
import type { Answer, TestReceiver } from './receiver.fixture.ts'
import type { TestSender } from './sender.fixture.ts'

describe('one webhook delivery', () => {
  let app: TestApp
  let sender: TestSender
  let receiver: TestReceiver
  /** null: an attempt that is sent again stays in flight. */
  let send: SendNow | null
  let nowMs = 0
  beforeEach(async () => {
    app = await startTestApp({
      plans: { pro, none: { ...pro, webhooks: false } },
      sendNow: (delivery, claimedMs) => send?.(delivery, claimedMs),
    })
    await app.addAccount('other', 'none', 'key-of-other')
    sender = startSender(app.store, { clock: { ...systemClock, monotonicMs: () => nowMs } })
    send = sender.sendNow
  })
  afterEach(async () => {
    await receiver.close()
    await sender.stop()
    await app.close()
  })

  /** @returns the path of the delivery of a command that has ended */
  async function delivered(...answers: Answer[]): Promise<string> {
    receiver = await startReceiver(...answers)
    await fail(app, await app.submit({ webhook_url: `${receiver.url}/hook` }))
    await sender.attempted(1)
    const [delivery] = await app.list('/v1/webhook/deliveries')
    return `/v1/webhook/deliveries/${String(delivery?.['webhook_id'])}`
  }
  const again = (path: string, key = app.key) =>
    app.call(`${path}/redeliver`, { method: 'POST', key })
  const text =
    (status: number, body: string): Answer =>
    (response) => {
      nowMs += 120
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body)
    }

  it('a delivery is returned with what was sent and answered, and no whole signature', async () => {
    const path = await delivered(text(502, 'upstream is away'))
    const [sent] = receiver.received
    const record = await app.record(path)
    expect(record['body']).to.equal(sent?.body)
    const headers = fieldsOf(record['request_headers'])
    expect(headers).to.include({
      'Content-Type': 'application/json',
      'User-Agent': 'cloud-ffmpeg/test',
      'webhook-event': 'command.finished',
      'webhook-id': path.split('/').at(-1),
      'webhook-timestamp': sent?.headers['webhook-timestamp'],
    })
    const signature = String(headers['webhook-signature'])
    expect(signature).to.match(/^v1,.{6}\u2026$/)
    expect(sent?.headers['webhook-signature']).to.satisfy((whole: string) =>
      whole.startsWith(signature.slice(0, -1)),
    )
    const [attempt] = record['attempts'] as object[]
    expect(attempt).to.include({ response_status: 502, response_excerpt: 'upstream is away' })
    expect(field(attempt, 'duration_ms')).to.equal(120)
    const [listed] = await app.list('/v1/webhook/deliveries')
    const attempts = fieldsOf(listed)['attempts'] as object[]
    expect(attempts[0]).to.have.keys('at', 'response_status', 'error')
  })

  it('a delivery is sent again after it was delivered: same id and body, fresh time and signature', async () => {
    const path = await delivered(answering(204))
    const url = 'https://app.example/'
    await app.call('/v1/webhook', { method: 'PUT', body: { url, rotate_secret: true } })
    expect((await again(path)).body).to.include({ status: 'PENDING' })
    await sender.attempted(2)
    const [first, second] = receiver.received
    expect(second?.body).to.equal(first?.body)
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    const [, attempt] = (await app.record(path))['attempts'] as object[]
    const at = Math.floor(Date.parse(String(field(attempt, 'at'))) / 1_000)
    expect(second?.headers['webhook-timestamp']).to.equal(String(at))
    const secret = String((await app.record('/v1/webhook'))['secret'])
    new Webhook(secret).verify(second?.body ?? '', second?.headers as Record<string, string>)
    expect(await app.record(path)).to.include({ status: 'DELIVERED', next_attempt_at: null })
  })

  it('a delivery ends with the attempt when it had ended before, delivered or not', async () => {
    const path = await delivered(answering(204), answering(500), answering(204))
    await again(path)
    await sender.attempted(2)
    expect(await app.record(path)).to.include({ status: 'FAILED', next_attempt_at: null })
    await again(path)
    await sender.attempted(3)
    expect(await app.record(path)).to.include({ status: 'DELIVERED' })
    expect(sender.results).to.deep.equal(['delivered', 'given_up', 'delivered'])
  })

  it('a delivery is retried as before when it waited for its next attempt', async () => {
    const path = await delivered(answering(500))
    await again(path)
    await sender.attempted(2)
    const record = await app.record(path)
    expect(record).to.include({ status: 'PENDING' })
    const [, second] = record['attempts'] as object[]
    const waitMs =
      Date.parse(String(record['next_attempt_at'])) - Date.parse(String(field(second, 'at')))
    expect(waitMs).to.be.at.least((nextAttemptInSeconds(2) ?? 0) * 1_000)
  })

  it('a delivery is sent at once when its receiver is backed off', async () => {
    const path = await delivered(answering(410), answering(204))
    await app.query(
      'back_off',
      `update webhook_receivers set failures = 9, not_before = 'infinity'`,
    )
    await again(path)
    await sender.attempted(2)
    expect(await app.record(path)).to.include({ status: 'DELIVERED' })
  })

  it('answers 409 while an attempt is in flight; another replica makes it if that is lost', async () => {
    const path = await delivered(answering(204))
    send = null
    await again(path)
    expect(refusalOf(await again(path))).to.deep.equal([
      409,
      'An attempt of this delivery is in flight: send it again after its end',
    ])
    await app.age(60)
    await app.store.rearmReceivers()
    sender.notify()
    await sender.attempted(2)
    expect(await app.record(path)).to.include({ status: 'DELIVERED' })
  })

  it('answers 404 for unknown ids and those of other accounts, and 403 without webhooks in the plan', async () => {
    const path = await delivered(answering(204))
    const detail = 'Webhook delivery not found'
    const others = { key: 'key-of-other' }
    for (const [at, change] of [
      [path, others],
      ['/v1/webhook/deliveries/msg_17', {}],
      [path.replace('msg_', ''), {}],
    ] as const) {
      expect(refusalOf(await app.call(at, change))).to.deep.equal([404, detail])
    }
    expect(refusalOf(await again(`${path}7`))).to.deep.equal([404, detail])
    expect((await again(path, 'key-of-other')).status).to.equal(403)
    expect((await again(path, 'wrong')).status).to.equal(401)
    expect(receiver.received).to.have.length(1)
  })
})
