import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { startTestApp } from '../../testing/support/api/app.ts'
import { claim, succeed } from '../../testing/support/api/outcomes.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { createFileUrls } from '../files/file-urls.ts'
import { field, idOf } from '../checked-call.fixture.ts'
import { answering, startReceiver } from './receiver.fixture.ts'
import { startSender } from './sender.fixture.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { Received, TestReceiver } from './receiver.fixture.ts'
import type { TestSender } from './sender.fixture.ts'

describe('the webhook of private results', () => {
  let app: TestApp
  let receiver: TestReceiver
  let sender: TestSender | null = null
  let signatures = 0
  const fileUrls = createFileUrls({
    publicBaseUrl: 'https://files.example/media',
    presign: async (key, seconds) =>
      `https://signed.example/${key}?seconds=${seconds}&signature=${(signatures += 1)}`,
  })
  const privately = { is_private: true, presigned_ttl_seconds: 3_600 }
  const signed = /^https:\/\/signed\.example\/.+\?seconds=3600&signature=\d+$/
  const plain = /^https:\/\/files\.example\/media\/[^?]+$/

  beforeEach(async () => {
    app = await startTestApp()
  })
  afterEach(async () => {
    await receiver.close()
    await sender?.stop()
    sender = null
    await app.close()
  })

  const start = () => (sender = startSender(app.store, { fileUrls }))

  async function ended(change: object): Promise<string> {
    const commandId = await app.submit({ webhook_url: receiver.url, ...change })
    await succeed(app, commandId)
    return commandId
  }

  /** A signature covers the body of its own attempt. */
  async function dataOf(request: Received | undefined): Promise<unknown> {
    if (request === undefined) throw new Error('nothing received')
    const { secret } = await app.record('/v1/webhook')
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const headers = names.map((name) => [name, String(request.headers[name])])
    const verified = new Webhook(String(secret)).verify(
      request.body,
      Object.fromEntries(headers) as Record<string, string>,
    )
    return field(verified, 'data')
  }
  const outputUrl = async (request: Received | undefined) =>
    String(field(field(field(await dataOf(request), 'output_files'), 'out_1'), 'storage_url'))

  it('a webhook of private results has presigned URLs where the submission has presigned_ttl_seconds', async () => {
    receiver = await startReceiver(answering(204))
    const commandId = await ended(privately)
    await start().attempted(1)
    expect(await outputUrl(receiver.received[0])).to.match(signed)
    expect(await dataOf(receiver.received[0])).to.deep.include({ command_id: commandId })
  })

  for (const [what, change] of [
    ['without presigned_ttl_seconds', { is_private: true }],
    ['of public files', { presigned_ttl_seconds: 3_600 }],
  ] as const) {
    it(`a webhook of private results has plain URLs ${what}`, async () => {
      receiver = await startReceiver(answering(204))
      await ended(change)
      await start().attempted(1)
      expect(await outputUrl(receiver.received[0])).to.match(plain)
    })
  }

  it('signs anew for each attempt of an event, which does not change otherwise', async () => {
    receiver = await startReceiver(answering(500), answering(204))
    await ended(privately)
    const started = start()
    await started.attempted(1)
    // The record changes meanwhile, but not the event.
    await app.query('change', 'update files set size_bytes = 1')
    await app.age(5)
    started.notify()
    expect(await started.attempted(2)).to.deep.equal(['failed', 'delivered'])
    const [first, second] = receiver.received
    const urls = [await outputUrl(first), await outputUrl(second)]
    expect(new Set(urls).size).to.equal(2)
    for (const url of urls) expect(url).to.match(signed)
    const unsigned = (body = '') => body.replace(/&signature=\d+/, '')
    expect(unsigned(first?.body)).to.equal(unsigned(second?.body))
    expect(first?.headers['webhook-id']).to.equal(second?.headers['webhook-id'])
  })

  it('keeps no presigned URL, so that the list of deliveries grants no access', async () => {
    receiver = await startReceiver(answering(204))
    await ended(privately)
    await start().attempted(1)
    const [delivery] = await app.list('/v1/webhook/deliveries')
    const id = String(delivery?.['webhook_id'])
    const { body } = await app.record(`/v1/webhook/deliveries/${id}`)
    expect(body).to.be.a('string').that.contains('files.example').and.not.contains('signed.example')
  })

  it('a webhook has a presigned URL of a file that was stored from a URL', async () => {
    receiver = await startReceiver(answering(204))
    const sent = { file_url: 'https://media.example/clip.mov', webhook_url: receiver.url }
    const answered = await app.post('/v1/files/store-file', { ...sent, ...privately })
    const fileId = idOf(answered, 'file_id')
    const { podUid } = await claim(app, fileId)
    const files = [{ ...newFile(fileId), key: `private/${fileId}/clip.mov` }]
    await app.store.commitOutcome(commitOf(fileId, podUid, { status: 'SUCCESS', files }))
    await start().attempted(1)
    const data = await dataOf(receiver.received[0])
    expect(data).to.deep.include({ file_id: fileId })
    expect(field(data, 'storage_url')).to.match(signed)
  })
})
