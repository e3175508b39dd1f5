import { expect } from 'chai'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { ApiError } from './errors.ts'
import { createClient } from './client.ts'
import { cancelled, withoutReport } from '../../testing/support/api/outcomes.ts'
import { silence } from './scripted-client.fixture.ts'
import { submission, useApp } from '../../testing/support/api/app.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'

/** Shortens backoff, but not timeouts. */
const soon: typeof systemClock.schedule = (delayMs, callback) =>
  systemClock.schedule(delayMs >= 60_000 ? delayMs : 1, callback)

describe('the client', () => {
  const app = useApp()

  it('submits, reads and lists', async () => {
    const client = createClient({ url: `${app.url}/`, apiKey: app.key })
    const { command_id: id } = await client.submit(submission)
    expect((await client.getCommand(id, { presigned_ttl_seconds: 60 })).status).to.equal('QUEUED')
    expect(await client.listCommands({ status: 'FAILED' })).to.deep.equal([])
    expect((await client.listCommands({ limit: 1 })).map((one) => one.command_id)).to.deep.equal([
      id,
    ])
  })

  it('passes on which query parameters the service ignored', async () => {
    const ignored: string[] = []
    const client = createClient({
      url: app.url,
      apiKey: app.key,
      onIgnoredParameters: (names) => ignored.push(...names),
    })
    await client.listCommands({ limit: 1 })
    expect(ignored).to.deep.equal([])
    const later = { limit: 1, page: 2, levels: true }
    await client.listCommands(later)
    expect(ignored).to.deep.equal(['page', 'levels'])
  })

  it('names what is missing when it has no options or no address', () => {
    const create = createClient as (options?: object) => unknown
    for (const options of [undefined, {}, { url: '' }, { apiKey: 'key' }]) {
      expect(() => create(options)).to.throw(
        TypeError,
        "createClient needs the address of the service: createClient({ url: 'https://HOST'",
      )
    }
  })

  it('names every mistake of a refused request', async () => {
    const client = createClient({ url: app.url, apiKey: app.key })
    const error = await rejectionOf(
      client.submit({ ...submission, max_command_run_seconds: 0, vcpu_count: 0 }),
    )
    expect(error).to.be.instanceOf(ApiError)
    expect(error).to.include({
      status: 422,
      message:
        '422: body.max_command_run_seconds: Input should be greater than 0; body.vcpu_count: Input should be 1 or more',
    })
  })

  it("reports the server's 401 message for a wrong key", async () => {
    const client = createClient({ url: app.url, apiKey: 'wrong-key' })
    const error = await rejectionOf(client.listCommands())
    expect(error).to.include({
      status: 401,
      message:
        '401: Invalid authorization key: no account has the key in the X-API-KEY header; it may be revoked or cut short',
    })
  })

  it('the client waits through an outage until the command has ended', async () => {
    let polls = 0
    const outage = Array.from({ length: 6 }, () => silence)
    const proxy = () => Promise.resolve(new Response('<html>', { status: 502 }))
    const answers = [...outage, proxy]
    const client = createClient({
      url: app.url,
      apiKey: app.key,
      effects: { ...systemEffects(), clock: { ...systemClock, schedule: soon } },
      fetch: (input, init) => answers.shift()?.() ?? fetch(input, init),
    })
    const id = await app.submit()
    const record = await client.waitFor(id, {
      pollMs: 1,
      onPoll() {
        polls += 1
        void app.store.commitOutcome(withoutReport(id, null, cancelled))
      },
    })
    expect([record.status, record.error_status]).to.deep.equal(['FAILED', 'CANCELLED'])
    expect(polls).to.be.greaterThan(1)
  })

  it('the client stops waiting with its signal', async () => {
    const client = createClient({ url: app.url, apiKey: app.key })
    const { command_id: id } = await client.submit(submission)
    const stop = new AbortController()
    const waiting = client.waitFor(id, { signal: stop.signal, pollMs: 60_000 })
    stop.abort()
    const error = await rejectionOf(waiting)
    expect(error).to.include({ name: 'AbortError' })
  })
})
