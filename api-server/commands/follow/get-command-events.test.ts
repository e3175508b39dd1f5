import { expect } from 'chai'
import { failed } from '../../../testing/store-contract/fixtures.ts'
import { startTestApp, unknownId, useApp } from '../../../testing/support/api/app.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
import { field } from '../../checked-call.fixture.ts'
import { openStream } from '../../open-stream.fixture.ts'
import { fail, start, succeed, withoutReport } from '../../../testing/support/api/outcomes.ts'
import type { Store } from '../../../common/store/store.ts'

describe('GET /v1/commands/{command_id}/events', () => {
  const draining = new AbortController()
  const app = useApp({ effects: stillEffects(), draining: draining.signal })

  const events = (id: string) => openStream(`${app.url}/v1/commands/${id}/events`, app.key)
  const dataIn = (text: string): unknown[] =>
    [...text.matchAll(/^event: status\ndata: (.*)\n\n/gm)].map(([, data = '']): unknown =>
      JSON.parse(data),
    )

  it('sends the present state first, then each change, and ends with the last', async () => {
    const id = await app.submit()
    const stream = await events(id)
    expect(stream.response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    })
    const [queued] = dataIn(await stream.until(/QUEUED/))
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
    const [, processing] = dataIn(await stream.until(/"progress_percent":42/))
    expect(processing).to.include({ status: 'PROCESSING', attempts: 1 })
    await app.store.commitOutcome(withoutReport(id, attempt, failed('FFMPEG_FAILED')))
    const all = dataIn(await stream.end())
    expect(all.at(-1)).to.include({ status: 'FAILED', error_status: 'FFMPEG_FAILED' })
    expect(all.filter((event) => field(event, 'status') === 'FAILED')).to.have.length(1)
  })

  it('sends one event for a command that has ended', async () => {
    const id = await app.submit()
    await succeed(app, id)
    const all = dataIn(await (await events(id)).end())
    expect(all.map((event) => field(event, 'status'))).to.deep.equal(['SUCCESS'])
  })

  it('keeps the connection alive by comments, and sends no event for an invisible change', async () => {
    const id = await app.submit()
    const { effects, open, own, polls } = await countingReplica()
    const stream = await open(id)
    await stream.until(/QUEUED/)
    // The row changes, but its record does not.
    await app.store.requestCancel(id, 'administrator')
    const before = polls.length
    await until(() => polls.length > before + 1, 'a read of the change')
    effects.advance(45_000)
    expect(dataIn(await stream.until(/(: waiting\n\n){3}/))).to.have.length(1)
    stream.leave()
    await own.close()
  })

  it('polls the database with one statement for all followers, and not at all without any', async () => {
    const [one, two] = [await app.submit(), await app.submit()]
    const { open, own, polls } = await countingReplica()
    const streams = await Promise.all([open(one), open(two), open(two)])
    await until(() => polls.some((ids) => ids.length === 2))
    expect(polls.every((ids) => new Set(ids).size === ids.length)).to.equal(true)
    await Promise.all([fail(app, one), fail(app, two)])
    await Promise.all(streams.map(({ end }) => end()))
    // One more poll may be in flight; after it there are no followers and no polls.
    const after = polls.length
    const last = await open(one)
    await last.end()
    expect(polls.length).to.be.within(after, after + 1)
    await own.close()
  })

  it('the stream stops polling for a client that disconnects', async () => {
    const id = await app.submit()
    const { open, own, polls } = await countingReplica()
    const [stays, leaves] = [await open(await app.submit()), await open(id)]
    await until(() => polls.some((ids) => ids.length === 2))
    leaves.leave()
    await until(() => polls.at(-1)?.length === 1)
    stays.leave()
    await own.close()
  })

  it('the stream ends when the server stops, so that the client connects to another replica', async () => {
    const stream = await events(await app.submit())
    await stream.until(/QUEUED/)
    draining.abort()
    expect(dataIn(await stream.end())).to.have.length(1)
  })

  it('returns 404 for an unknown command and rejects an invalid id', async () => {
    const call = (id: string) => app.call(`/v1/commands/${id}/events`)
    expect((await call(unknownId)).status).to.equal(404)
    expect((await call('17')).status).to.equal(422)
    const head = await app.call(`/v1/commands/${await app.submit()}/events`, { method: 'HEAD' })
    expect(head.status).to.equal(200)
  })

  /** Another replica, and the ids of which each of its polls reads the state. */
  async function countingReplica() {
    const polls: string[][] = []
    const findChanged: Store['findChanged'] = (known) => {
      polls.push(known.map(({ commandId }) => commandId))
      return app.store.findChanged(known)
    }
    const store = { ...app.store, findChanged }
    const effects = stillEffects()
    const own = await startTestApp({ effects, store }, app)
    const open = (id: string) => openStream(`${own.url}/v1/commands/${id}/events`, app.key)
    return { effects, open, own, polls }
  }
})
