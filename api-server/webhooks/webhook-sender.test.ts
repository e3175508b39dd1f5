import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { pro, startTestApp } from '../../testing/support/api/app.ts'
import { until } from '../../testing/support/until.ts'
import { field, fieldsOf } from '../checked-call.fixture.ts'
import { fail, succeed } from '../../testing/support/api/outcomes.ts'
import { answering, startReceiver } from './receiver.fixture.ts'
import { nextAttemptInSeconds } from './attempt-delivery.ts'
import { startSender } from './sender.fixture.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { Answer, Received, TestReceiver } from './receiver.fixture.ts'
import type { TestSender, TestSenderOptions } from './sender.fixture.ts'

describe('nextAttemptInSeconds', () => {
  it('the sender waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then gives up', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(nextAttemptInSeconds)
    expect(waits).to.deep.equal([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, null])
  })
})

describe('the webhook sender', () => {
  let app: TestApp
  let senders: TestSender[] = []
  let receivers: TestReceiver[] = []
  beforeEach(async () => {
    app = await startTestApp()
  })
  afterEach(async () => {
    const stopped = senders.map((one) => one.stop())
    // Ends the attempts that no receiver answers.
    await Promise.all(receivers.map((one) => one.close()))
    await Promise.all(stopped)
    senders = []
    receivers = []
    await app.close()
  })

  function start(options: TestSenderOptions = {}): TestSender {
    const sender = startSender(app.store, options)
    senders.push(sender)
    return sender
  }

  async function receiver(...answers: Answer[]): Promise<TestReceiver> {
    const started = await startReceiver(...answers)
    receivers.push(started)
    return started
  }

  const setWebhook = async (body: object) =>
    fieldsOf((await app.call('/v1/webhook', { method: 'PUT', body })).body)
  const submit = (webhookUrl?: string) => app.submit({ webhook_url: webhookUrl ?? null })

  async function ended(webhookUrl?: string): Promise<string> {
    const id = await submit(webhookUrl)
    await fail(app, id)
    return id
  }

  const deliveries = () => app.list('/v1/webhook/deliveries')

  const later = async (seconds: number, ...replicas: TestSender[]) => {
    await app.age(seconds)
    for (const replica of replicas) replica.notify()
  }

  /** Verified by the public library; its clock does not advance with the database's. */
  async function verified({ headers, body }: Received, secret?: string): Promise<unknown> {
    const own = secret ?? String((await app.record('/v1/webhook'))['secret'])
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const texts = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    return new Webhook(own).verify(body, texts)
  }

  it('sends the end of a command with its record', async () => {
    const { url, received, arrived } = await receiver(answering(204))
    await setWebhook({ url: `${url}/hook?key=1` })
    const id = await submit()
    await succeed(app, id)
    await start().attempted(1)
    await arrived(1)
    const [request] = received
    if (request === undefined) throw new Error('nothing received')
    const record = await app.record(`/v1/commands/${id}`)
    expect(await verified(request)).to.deep.equal({
      data: record,
      timestamp: Date.parse(String(field(record, 'finished_at'))),
    })
    expect(request.headers).to.include({
      'content-type': 'application/json',
      'user-agent': 'cloud-ffmpeg/test',
      'webhook-event': 'command.finished',
    })
    const [delivery] = await deliveries()
    expect(delivery).to.deep.include({
      status: 'DELIVERED',
      next_attempt_at: null,
      command_id: id,
      webhook_id: request.headers['webhook-id'],
    })
    expect(field(delivery, 'attempts')).to.have.length(1)
  })

  it('retries after failures with the same id and the same body', async () => {
    const { url, received } = await receiver(answering(502), answering(500), answering(200))
    const id = await submit(url)
    await succeed(app, id)
    const sender = start()
    await sender.attempted(1)
    expect((await deliveries())[0]).to.deep.include({ status: 'PENDING' })
    await later(4, sender)
    // The record changes meanwhile, but not the event.
    await app.query('change', 'update files set size_bytes = 1')
    await later(1, sender)
    await sender.attempted(2)
    await later(300, sender)
    expect(await sender.attempted(3)).to.deep.equal(['failed', 'failed', 'delivered'])
    expect(new Set(received.map(({ body }) => body)).size).to.equal(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    for (const request of received) await verified(request)
    const [delivery] = await deliveries()
    expect(delivery).to.deep.include({ status: 'DELIVERED', next_attempt_at: null })
    const attempts = Object.values(fieldsOf(field(delivery, 'attempts')))
    const statuses = attempts.map((one) => field(one, 'response_status'))
    expect(statuses).to.deep.equal([502, 500, 200])
  })

  it('gives up after the eighth failure', async () => {
    const { url, received } = await receiver(answering(500))
    await ended(url)
    const sender = start()
    let count = 0
    for (const wait of [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]) {
      await later(wait, sender)
      await sender.attempted(++count)
    }
    expect(sender.results.at(-1)).to.equal('given_up')
    expect(received).to.have.length(8)
    expect((await deliveries())[0]).to.include({ status: 'FAILED', next_attempt_at: null })
  })

  it('treats a redirect as a failure and 410 as the last attempt', async () => {
    const target = await receiver(answering(200))
    const { url } = await receiver(
      (response) => response.writeHead(302, { location: target.url }).end(),
      answering(410),
    )
    await ended(url)
    const sender = start()
    await sender.attempted(1)
    await later(5, sender)
    expect(await sender.attempted(2)).to.deep.equal(['failed', 'given_up'])
    expect(target.received).to.deep.equal([])
    const [delivery] = await deliveries()
    expect(delivery).to.include({ status: 'FAILED' })
    expect(field(field(delivery, 'attempts'), '0')).to.deep.include({
      response_status: 302,
      error: 'The URL redirects, which is not followed',
    })
  })

  it('signs with both secrets for a day after a rotation', async () => {
    const { url, received } = await receiver(answering(200))
    const { secret: before } = await setWebhook({ url })
    const { secret: after } = await setWebhook({ url, rotate_secret: true })
    await ended()
    const sender = start()
    await sender.attempted(1)
    const [first] = received
    if (first === undefined) throw new Error('nothing received')
    for (const secret of [before, after]) await verified(first, String(secret))
    await later(86_401)
    await ended()
    sender.notify()
    await sender.attempted(2)
    expect(String(received[1]?.headers['webhook-signature']).split(' ')).to.have.length(1)
  })

  it('refuses to send when the plan no longer includes webhooks', async () => {
    const { url, received } = await receiver(answering(200))
    await ended(url)
    const sender = start({ plans: { pro: { ...pro, webhooks: false } } })
    expect(await sender.attempted(1)).to.deep.equal(['refused'])
    expect(received).to.deep.equal([])
    const [delivery] = await deliveries()
    expect(field(field(delivery, 'attempts'), '0')).to.deep.include({
      error: "Plan 'pro' does not include webhooks",
    })
  })

  it('sends events of files with their records', async () => {
    const { url, received } = await receiver(answering(200))
    const fileId = '0197a400-2f10-7c3a-8d11-5b1c2e6f7a02'
    const { accountId } = app.account
    await app.store.insertStoredFile({
      fileId,
      accountId,
      environmentName: null,
      isPrivate: false,
      originalFileUrl: 'https://media.example/clip.mov',
      webhookUrl: url,
    })
    await fail(app, fileId)
    await start().attempted(1)
    const [request] = received
    if (request === undefined) throw new Error('nothing received')
    const event = await verified(request)
    expect(request.headers).to.include({ 'webhook-event': 'file.failed' })
    expect(field(event, 'data')).to.deep.include({
      file_id: fileId,
      status: 'FAILED',
      error_status: 'CANCELLED',
      is_deleted: false,
    })
    expect((await deliveries())[0]).to.deep.include({ file_id: fileId, command_id: null })
  })

  it('the webhook sender is not delayed by a receiver that does not answer', async () => {
    const slow = await receiver(() => undefined)
    const quick = await receiver(answering(200))
    for (let index = 0; index < 20; index++) await ended(`${slow.url}/${index}`)
    const last = await ended(quick.url)
    const sender = start({ concurrency: 16 })
    await quick.arrived(1)
    await sender.attempted(1)
    expect(slow.received.length).to.be.at.most(2)
    expect((await deliveries())[0]).to.include({ status: 'DELIVERED', command_id: last })
  })

  for (const moment of ['before', 'after'] as const) {
    it(`sends an event again under the same id when a replica crashed ${moment} sending it`, async () => {
      const { url, received, arrived } = await receiver(answering(200))
      await ended(url)
      const died = Promise.withResolvers<undefined>()
      const dying = start({
        async failpoint(name, effect) {
          if (name !== 'webhook.sent') return effect()
          if (moment === 'after') await effect()
          died.resolve(undefined)
          // Like a crashed process: no effect follows.
          return new Promise(() => undefined)
        },
      })
      await died.promise
      dying.leave()
      senders = []
      const other = start()
      // A second before the lease ends.
      await later(39, other)
      expect((await deliveries())[0]).to.deep.include({ status: 'PENDING', attempts: [] })
      await later(1, other)
      await other.attempted(1)
      await arrived(moment === 'after' ? 2 : 1)
      expect(received).to.have.length(moment === 'after' ? 2 : 1)
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
      expect(new Set(received.map(({ body }) => body)).size).to.equal(1)
      expect((await deliveries())[0]).to.deep.include({ status: 'DELIVERED' })
    })
  }

  it('sends each event once with several replicas polling for it', async () => {
    const { url, received, arrived } = await receiver(answering(200))
    const replicas = [start(), start(), start()]
    const commands = Array.from({ length: 30 }, () => submit(url))
    for (const id of await Promise.all(commands)) {
      await fail(app, id)
      for (const replica of replicas) replica.notify()
    }
    // The clock of the database stands. A claim that met no delivery before its commit looks again within 15 s of it,
    // which is less than a lease.
    await later(15, ...replicas)
    await arrived(30)
    await Promise.all(replicas.map((one) => one.stop()))
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(30)
    expect(received).to.have.length(30)
    expect(replicas.flatMap(({ results }) => results)).to.deep.equal(
      Array.from({ length: 30 }, () => 'delivered'),
    )
  })

  it('the sender finishes an attempt in flight before it stops', async () => {
    const held = Promise.withResolvers<() => void>()
    const { url } = await receiver((response) => held.resolve(() => response.writeHead(200).end()))
    await ended(url)
    const sender = start()
    const answer = await held.promise
    const stopped = sender.stop()
    answer()
    await stopped
    expect(sender.results).to.deep.equal(['delivered'])
  })

  it('releases a delivery that takes too long, and another replica sends it at once', async () => {
    const { url, received, arrived } = await receiver(() => undefined, answering(200))
    await ended(url)
    const clock = createVirtualClock()
    const stopping = start({ clock })
    await arrived(1)
    let isStopped = false
    void stopping.stop().then(() => (isStopped = true))
    await until(async () => {
      await clock.advance(1_000)
      return isStopped
    })
    expect(stopping.results).to.deep.equal([])
    expect((await deliveries())[0]).to.deep.include({ status: 'PENDING', attempts: [] })
    await start().attempted(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    expect((await deliveries())[0]).to.include({ status: 'DELIVERED' })
  })
})
