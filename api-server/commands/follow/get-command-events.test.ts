import { expect } from 'chai'
import { startTestApp, submission, unknownId } from '../../app.fixture.ts'
import { checkedCall, field } from '../../checked-call.fixture.ts'
import { fastEffects } from '../../../testing/support/fast-effects.ts'
import { openStream } from '../../open-stream.fixture.ts'
import { fail, start, succeed } from '../outcomes.fixture.ts'
import type { TestApp } from '../../app.fixture.ts'
import type { Store } from '../../../common/store/store.ts'

describe('GET /v1/commands/{command_id}/events', () => {
  let app: TestApp
  const draining = new AbortController()
  before(async () => {
    app = await startTestApp({ effects: fastEffects(), draining: draining.signal })
  })
  after(() => app.close())

  const submit = async () => {
    const sent = { method: 'POST', key: app.key, body: submission }
    const { body } = await checkedCall(app.url, '/v1/run-ffmpeg-command', sent)
    return String(field(body, 'command_id'))
  }
  const events = (id: string) => openStream(`${app.url}/v1/commands/${id}/events`, app.key)
  const dataIn = (text: string): unknown[] =>
    [...text.matchAll(/^event: status\ndata: (.*)\n\n/gm)].map(([, data = '']): unknown =>
      JSON.parse(data),
    )

  it('sends the present state first, then each change, and ends with the last', async () => {
    const id = await submit()
    const { response, until, end } = await events(id)
    expect(response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    })
    const [queued] = dataIn(await until(/QUEUED/))
    expect(queued).to.deep.include({
      command_id: id,
      status: 'QUEUED',
      processing_stage: null,
      progress_percent: null,
      attempts: 0,
      error_status: null,
    })
    expect(field(queued, 'timestamp')).to.match(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/)
    const attempt = await start(app, id)
    const [, processing] = dataIn(await until(/"progress_percent":42/))
    expect(processing).to.include({ status: 'PROCESSING', attempts: 1 })
    const outcome = { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'x' } as const
    const rest = { steps: null, usage: null, logs: [] }
    await app.store.commitOutcome({ commandId: id, attempt, outcome, ...rest })
    const all = dataIn(await end())
    expect(all.at(-1)).to.include({ status: 'FAILED', error_status: 'FFMPEG_FAILED' })
    expect(all.filter((event) => field(event, 'status') === 'FAILED')).to.have.length(1)
  })

  it('sends one event for a command that has ended', async () => {
    const id = await submit()
    await succeed(app, id)
    const all = dataIn(await (await events(id)).end())
    expect(all.map((event) => field(event, 'status'))).to.deep.equal(['SUCCESS'])
  })

  it('keeps the connection alive by comments, and sends no event for an invisible change', async () => {
    const id = await submit()
    const { until, leave } = await events(id)
    await until(/: waiting\n\n/)
    // The row changes, but its record does not.
    await app.store.requestCancel(id)
    expect(dataIn(await until(/(: waiting\n\n){3}/))).to.have.length(1)
    leave()
  })

  it('polls the database with one statement for all followers, and not at all without any', async () => {
    const [one, two] = [await submit(), await submit()]
    const asked: string[][] = []
    const counted = {
      ...app.store,
      findChanged: (known: Parameters<Store['findChanged']>[0]) => {
        asked.push(known.map(({ commandId }) => commandId))
        return app.store.findChanged(known)
      },
    }
    const own = await startTestApp({ effects: fastEffects(), store: counted }, app)
    const open = (id: string) => openStream(`${own.url}/v1/commands/${id}/events`, app.key)
    const streams = await Promise.all([open(one), open(two), open(two)])
    await Promise.all(streams.map(({ until }) => until(/(: waiting\n\n){2}/)))
    expect(asked.some((ids) => ids.length === 2)).to.equal(true)
    expect(asked.every((ids) => new Set(ids).size === ids.length)).to.equal(true)
    await Promise.all([fail(app, one), fail(app, two)])
    await Promise.all(streams.map(({ end }) => end()))
    // One more poll may be in flight; after it there are no followers and no polls.
    const after = asked.length
    const last = await open(one)
    await last.end()
    expect(asked.length).to.be.within(after, after + 1)
    await own.close()
  })

  it('stops polling for a client that disconnects', async () => {
    const id = await submit()
    const asked: number[] = []
    const counted = {
      ...app.store,
      findChanged: (known: Parameters<Store['findChanged']>[0]) => {
        asked.push(known.length)
        return app.store.findChanged(known)
      },
    }
    const own = await startTestApp({ effects: fastEffects(), store: counted }, app)
    const stays = await openStream(`${own.url}/v1/commands/${await submit()}/events`, app.key)
    const leaves = await openStream(`${own.url}/v1/commands/${id}/events`, app.key)
    await leaves.until(/QUEUED/)
    while (!asked.includes(2)) await stays.until(/QUEUED/).then(nextTurn)
    leaves.leave()
    while (asked.at(-1) !== 1) await nextTurn()
    stays.leave()
    await own.close()
  })

  it('ends when the server stops, so that the client connects to another replica', async () => {
    const { until, end } = await events(await submit())
    await until(/QUEUED/)
    draining.abort()
    expect(dataIn(await end())).to.have.length(1)
  })

  it('returns 404 for an unknown command and rejects an invalid id', async () => {
    const call = (id: string) => checkedCall(app.url, `/v1/commands/${id}/events`, { key: app.key })
    expect((await call(unknownId)).status).to.equal(404)
    expect((await call('17')).status).to.equal(422)
    const head = await checkedCall(app.url, `/v1/commands/${await submit()}/events`, {
      method: 'HEAD',
      key: app.key,
    })
    expect(head.status).to.equal(200)
  })
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
