import { expect } from 'chai'
import type { Outcome } from '../../../common/store/attempts.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
import { failed, newFile } from '../../../testing/store-contract/fixtures.ts'
import { startTestApp, useApp } from '../../../testing/support/api/app.ts'
import { field } from '../../checked-call.fixture.ts'
import { openStream } from '../../open-stream.fixture.ts'
import { fail, start, succeed, withoutReport } from '../../../testing/support/api/outcomes.ts'
import type { Store } from '../../../common/store/store.ts'

describe('GET /v1/events', () => {
  const app = useApp({ effects: stillEffects() })
  let accounts = 0

  async function ownAccount() {
    const name = `account-${++accounts}`
    const key = `key-of-${name}`
    await app.addAccount(name, 'pro', key)
    return { key, submit: () => app.submit({}, { key }) }
  }
  const open = (key: string) => openStream(`${app.url}/v1/events`, key)
  const dataIn = (text: string): unknown[] =>
    [...text.matchAll(/^event: command\ndata: (.*)\n\n/gm)].map(([, data = '']): unknown =>
      JSON.parse(data),
    )
  const about = (text: string, id: string) =>
    dataIn(text).filter((event) => field(event, 'command_id') === id)

  it('sends unfinished commands first, then each change, also of new commands', async () => {
    const [ended, waiting] = [await app.submit(), await app.submit()]
    await fail(app, ended)
    const { response, until, leave } = await open(app.key)
    expect(response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
    })
    const [first] = about(await until(new RegExp(waiting)), waiting)
    expect(await until(/connected/)).to.match(/^: connected\n\nevent: command\n/)
    expect(first).to.deep.include({
      command_id: waiting,
      status: 'QUEUED',
      processing_stage: null,
      attempts: 0,
      error_status: null,
      error_message: null,
      queue_position: 1,
      queue_reason: 'DISPATCH',
      started_at: null,
      finished_at: null,
      progress_percent: null,
    })
    expect(field(first, 'steps')).to.be.an('array').with.length(1)
    const attempt = await start(app, waiting)
    await until(/"progress_percent":42/)
    await app.store.commitOutcome(withoutReport(waiting, attempt, failed('FFMPEG_FAILED')))
    await until(/"error_status":"FFMPEG_FAILED"/)
    const added = await app.submit()
    await until(new RegExp(added))
    await succeed(app, added)
    const text = await until(new RegExp(`${added}","status":"SUCCESS"`))
    expect(about(text, ended)).to.deep.equal([])
    expect(
      about(text, waiting).filter((event) => field(event, 'status') === 'FAILED'),
    ).to.have.length(1)
    leave()
  })

  it('sends the end of a command that began and ended between two reads', async () => {
    // This replica reads only when time passes: its reads are 500 ms apart.
    const slow = stillEffects(500)
    const own = await startTestApp({ effects: slow }, app)
    const stream = await openStream(`${own.url}/v1/events`, app.key)
    await app.submit().then((id) => start(app, id))
    await slow.until(stream.until(/PROCESSING/))
    const id = await app.submit()
    await fail(app, id)
    const text = await slow.until(stream.until(new RegExp(`${id}","status":"FAILED"`)))
    expect(about(text, id).at(-1)).to.include({ error_status: 'CANCELLED' })
    stream.leave()
    await own.close()
  })

  it('sends new queue positions when a command ahead ends', async () => {
    const { key, submit } = await ownAccount()
    const [first, second] = [await submit(), await submit()]
    const { until, leave } = await open(key)
    await until(new RegExp(second))
    await fail(app, first)
    const text = await until(/"queue_position":1[^]*"queue_position":1,/)
    const places = about(text, second).map((event) => field(event, 'queue_position'))
    expect(places).to.deep.equal([2, 1])
    leave()
  })

  it('sends no event for an invisible change, and comments while nothing changes', async () => {
    const { key, submit } = await ownAccount()
    const id = await submit()
    let reads = 0
    const findLive: Store['findLive'] = (...wanted) => {
      reads += 1
      return app.store.findLive(...wanted)
    }
    const still = stillEffects()
    const own = await startTestApp({ effects: still, store: { ...app.store, findLive } }, app)
    const stream = await openStream(`${own.url}/v1/events`, key)
    await stream.until(new RegExp(id))
    await app.store.requestCancel(id, 'administrator')
    const before = reads
    await until(() => reads > before + 1, 'a read of the change')
    still.advance(45_000)
    expect(dataIn(await stream.until(/(: waiting\n\n){3}/))).to.have.length(1)
    stream.leave()
    await own.close()
  })

  it('sends states of files when they are asked for, first those that are not final', async () => {
    const { key } = app
    const body = { file_url: 'https://media.example/clip.mov' }
    const store = async () => {
      const stored = await app.post('/v1/files/store-file', body, { key })
      return String(field(stored.body, 'file_id'))
    }
    const [waiting, deleted] = [await store(), await store()]
    const stream = await openStream(`${app.url}/v1/events?files=true`, key)
    const plain = await open(key)
    const event = (id: string, status: string, command = 'null') =>
      `event: file\ndata: {"file_id":"${id}","status":"${status}","command_id":${command}}\n\n`
    await stream.until(new RegExp(event(deleted, 'QUEUED')))
    await app.remove(`/v1/files/${deleted}`, { key })
    const id = await app.submit()
    const attempt = await start(app, id)
    const file = newFile(id)
    const outcome: Outcome = { status: 'SUCCESS', files: [file] }
    await app.store.commitOutcome(withoutReport(id, attempt, outcome))
    const text = await stream.until(new RegExp(event(file.fileId, 'STORED', `"${id}"`)))
    expect(text).to.contain(event(waiting, 'QUEUED'))
    expect(text.split(`"file_id":"${deleted}"`)).to.have.length(2)
    await stream.until(new RegExp(`${id}","status":"SUCCESS"`))
    expect(await plain.until(new RegExp(`${id}","status":"SUCCESS"`))).not.to.contain('event: file')
    for (const one of [stream, plain]) one.leave()
  })

  it('says bye when the server stops', async () => {
    const draining = new AbortController()
    const own = await startTestApp({ effects: stillEffects(), draining: draining.signal }, app)
    const stream = await openStream(`${own.url}/v1/events`, app.key)
    await stream.until(/connected/)
    draining.abort()
    expect(await stream.end()).to.match(/retry: 1000\nevent: bye\ndata: {"why":"draining"}\n\n$/)
    await own.close()
  })

  it('shows an account its own commands alone', async () => {
    const [one, other] = [await ownAccount(), await ownAccount()]
    const theirs = await other.submit()
    const stream = await open(one.key)
    const mine = await one.submit()
    expect(await stream.until(new RegExp(mine))).not.to.contain(theirs)
    stream.leave()
  })
})
