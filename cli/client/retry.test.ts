import { expect } from 'chai'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { ApiError, NoAnswerError, UnexpectedAnswer } from './errors.ts'
import { json, scriptedClient, silence } from './scripted-client.fixture.ts'
import { submission } from '../../testing/support/api/app.ts'

const busy = json(503, { detail: 'Service temporarily unavailable' })
const accepted = json(200, { command_id: 'c' })

describe('the retries of the client', () => {
  it('sends a submission again under the same Idempotency-Key', async () => {
    const { client, sent, waits } = scriptedClient([silence, busy, accepted])
    expect(await client.submit(submission)).to.deep.equal({ command_id: 'c' })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).to.deep.equal(['id-1', 'id-1', 'id-1'])
    expect(sent.map(({ body }) => body)).to.deep.equal([submission, submission, submission])
    expect(waits).to.deep.equal([500, 1_000])
  })

  it('sends a new key with each submission, or the given one', async () => {
    const { client, sent } = scriptedClient([accepted, accepted, accepted])
    await client.submit(submission)
    await client.submit(submission)
    await client.submit(submission, { idempotencyKey: 'mine' })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).to.deep.equal(['id-1', 'id-2', 'mine'])
  })

  it('the client waits for the Retry-After of the answer', async () => {
    const limited = json(429, { detail: 'Rate limit exceeded' }, { 'Retry-After': '12' })
    const { client, waits } = scriptedClient([limited, json(200, [])])
    await client.listCommands()
    expect(waits).to.deep.equal([12_000])
  })

  it('calls onRetry with the error and the wait when submissions are paused', async () => {
    const paused = json(503, { detail: 'Submissions are paused: moving' }, { 'Retry-After': '30' })
    const { client, retries } = scriptedClient([paused, accepted])
    await client.submit(submission)
    expect(retries.map(({ error, waitMs }) => [error.message, waitMs])).to.deep.equal([
      ['503: Submissions are paused: moving', 30_000],
    ])
  })

  it('rejects when Retry-After is longer than a minute', async () => {
    const limited = json(429, { detail: 'Rate limit exceeded' }, { 'Retry-After': '300' })
    const { client, waits } = scriptedClient([limited])
    const error = await rejectionOf(client.listCommands())
    expect(error).to.be.instanceOf(ApiError)
    expect(error).to.include({ status: 429, retryAfterSeconds: 300 })
    expect(waits).to.deep.equal([])
  })

  it('the client waits for its own first attempt that is still in flight', async () => {
    const working = json(409, { detail: 'in progress' }, { 'Retry-After': '1' })
    const { client, sent } = scriptedClient([silence, working, accepted])
    await client.submit(submission)
    expect(sent).to.have.length(3)
  })

  it('the client does not retry 500, or 4xx other than 429', async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 422, 500]) {
      const { client, sent } = scriptedClient([json(status, { detail: 'no' })])
      expect(await rejectionOf(client.submit(submission))).to.include({ status, detail: 'no' })
      expect(sent).to.have.length(1)
    }
  })

  it('gives up after five attempts with the reason', async () => {
    const { client, sent } = scriptedClient([silence, silence, silence, silence, silence])
    const error = await rejectionOf(client.listCommands())
    expect(error).to.be.instanceOf(NoAnswerError)
    expect(error).to.include({
      message:
        'no answer from http://service.example: nothing listens there; is the service running, and is this its port?',
    })
    expect(sent).to.have.length(5)
  })

  it('retries when the connection breaks during the answer', async () => {
    const broken = () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
        { headers: { 'Content-Type': 'application/json' } },
      )
    const { client } = scriptedClient([broken, json(200, [])])
    expect(await client.listCommands()).to.deep.equal([])
  })

  it('resolves a retried deletion that answers 404', async () => {
    const gone = json(404, { detail: 'File not found' })
    const { client } = scriptedClient([silence, gone, gone])
    expect(await client.deleteFile('f')).to.equal(null)
    expect(await rejectionOf(client.deleteFile('f'))).to.include({ status: 404 })
  })

  it('the client does not retry calls that create a new secret or a new account', async () => {
    const { client, sent } = scriptedClient([silence, silence], null)
    await rejectionOf(client.registerAccount({ email: 'a@b.example' }))
    await rejectionOf(client.putWebhook({ url: 'https://a.example', rotate_secret: true }))
    expect(sent).to.have.length(2)
  })

  it('rejects a web page as an answer', async () => {
    const page = () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    const { client, sent } = scriptedClient([page])
    expect(await rejectionOf(client.listCommands())).to.be.instanceOf(UnexpectedAnswer)
    expect(sent).to.have.length(1)
  })

  it('the client stops waiting with its signal', async () => {
    const stop = new AbortController()
    const { client } = scriptedClient([
      () => {
        stop.abort(new Error('enough'))
        return silence()
      },
    ])
    const error = await rejectionOf(client.listCommands({}, { signal: stop.signal }))
    expect(error).to.include({ message: 'enough' })
  })
})
