import { expect } from 'chai'
import { once } from 'node:events'
import { get } from 'node:http'
import { unknownId, useApp } from '../../../testing/support/api/app.ts'
import { field, refusalOf } from '../../checked-call.fixture.ts'
import { fail, start, succeed } from '../../../testing/support/api/outcomes.ts'
import type { IncomingMessage } from 'node:http'

describe('GET /v1/commands/{command_id}', () => {
  const app = useApp()

  const record = (id: string) => app.record(`/v1/commands/${id}`)

  it('finds it by its id in any case', async () => {
    const id = await app.submit()
    expect(await app.record(`/v1/commands/${id.toUpperCase()}`)).to.include({ command_id: id })
  })

  it("answers 404 for unknown ids and other accounts' ids alike", async () => {
    await app.addAccount('other', 'pro', 'key-of-other')
    const foreign = await app.submit({}, { key: 'key-of-other' })
    for (const id of [unknownId, foreign]) {
      const answered = await app.call(`/v1/commands/${id}`)
      expect(refusalOf(answered)).to.deep.equal([404, `Command not found: ${id}`])
    }
  })

  it('rejects an invalid id and an invalid lifetime of presigned URLs', async () => {
    const invalid = await app.call('/v1/commands/17')
    expect(refusalOf(invalid)).to.deep.equal([422, 'path.command_id uuid_parsing'])
    for (const seconds of ['-1', '604801', 'x', '1.5']) {
      const answered = await app.call(`/v1/commands/${unknownId}?presigned_ttl_seconds=${seconds}`)
      expect(answered.status, seconds).to.equal(422)
    }
  })

  it('presigns the URLs of private outputs only, with the requested lifetime', async () => {
    const urls = async (isPrivate: boolean, seconds: string) => {
      const id = await app.submit({ is_private: isPrivate })
      await succeed(app, id)
      const { body } = await app.call(`/v1/commands/${id}?presigned_ttl_seconds=${seconds}`)
      return String(field(field(field(body, 'output_files'), 'out_1'), 'storage_url'))
    }
    const plain = /^https:\/\/files\.example\/media\/.*\/small\.mp4$/
    const signed = /^https:\/\/signed\.example\/.*\/small\.mp4\?seconds=604800$/
    expect(await urls(true, '604800')).to.match(signed)
    expect(await urls(true, '0')).to.match(plain)
    expect(await urls(true, '')).to.match(plain)
    expect(await urls(false, '604800')).to.match(plain)
  })

  it('shows running, successful and failed commands with all keys', async () => {
    const running = await app.submit()
    await start(app, running)
    expect(await record(running)).to.include({
      status: 'PROCESSING',
      processing_stage: 'FFMPEG_PROCESSING',
      progress_percent: 42,
      attempts: 1,
      output_files: null,
      queue_position: null,
    })
    const done = await app.submit()
    await succeed(app, done)
    expect(await record(done)).to.include({
      status: 'SUCCESS',
      processing_stage: null,
      progress_percent: 100,
      error_status: null,
      processing_quota_used: 3,
      ffmpeg_command_run_seconds: 1.5,
    })
    const failed = await app.submit()
    await fail(app, failed)
    expect(await record(failed)).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
      error_message: 'Cancelled by request',
      output_files: null,
      processing_quota_used: 0,
    })
  })

  it('answers 304 when nothing has changed since the last poll', async () => {
    const where = `/v1/commands/${await app.submit()}`
    const { headers } = await app.call(where)
    // fetch sends `Cache-Control: no-cache` as soon as the caller sets a conditional header.
    const conditional = { 'X-API-KEY': app.key, 'If-None-Match': headers.get('etag') ?? '' }
    const [answer] = (await once(get(app.url + where, { headers: conditional }), 'response')) as [
      IncomingMessage,
    ]
    answer.resume()
    expect(answer.statusCode).to.equal(304)
  })
})
