import { expect } from 'chai'
import { gzipSync } from 'node:zlib'
import { startTestApp } from './app.fixture.ts'
import { checkedCall } from './checked-call.fixture.ts'
import { createPostgresStore } from '../common/database/postgres-store.ts'
import { testPool } from '../common/database/test-database.ts'
import type { TestApp } from './app.fixture.ts'
import type { Answered, Sent } from './checked-call.fixture.ts'

const submission = {
  ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}',
  input_files: { in_1: 'https://media.example/sample.avi' },
  output_files: { out_1: 'small.mp4' },
  metadata: { order: 17 },
}
const unknownId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
const path = '/v1/run-ffmpeg-command'

describe('the REST API', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app.close())

  const call = (where: string, sent: Sent = {}): Promise<Answered> =>
    checkedCall(app.url, where, { key: app.key, ...sent })
  const submit = (body: unknown, sent: Sent = {}) => call(path, { method: 'POST', body, ...sent })
  const idOf = ({ body }: Answered) => String(field(body, 'command_id'))
  const record = async (submitted: Answered) => (await call(`/v1/commands/${idOf(submitted)}`)).body

  describe('submitting', () => {
    it('answers with the id of a command that is stored and waits', async () => {
      const nudged = app.nudges()
      const answered = await submit(submission)
      expect(answered.status).to.equal(200)
      expect(app.nudges()).to.equal(nudged + 1)
      expect(await record(answered)).to.deep.include({
        status: 'QUEUED',
        command_type: 'FFMPEG_COMMAND',
        vcpu_count: 8,
        max_command_run_seconds: 300,
        metadata: { order: 17 },
        original_request: {
          ...submission,
          input_compressed_folder: null,
          max_command_run_seconds: 300,
          vcpu_count: 8,
          is_private: false,
        },
      })
    })

    it('takes what forms, spreadsheets and replayed requests send', async () => {
      const first = await record(await submit(submission))
      const lenient: [string, Sent][] = [
        [path, { body: { ...submission, max_command_run_seconds: '300', surprise: [1] } }],
        [path, { body: { ...submission, metadata: null, is_private: 'FALSE', vcpu_count: 4.0 } }],
        [path, { body: field(first, 'original_request') }],
        [`${path}/`, { body: submission }],
        [`/api${path}`, { body: submission }],
        [`${path}?anything=1`, { body: submission }],
        [path, { body: submission, headers: { 'Content-Type': 'text/plain; charset=latin1' } }],
        [path, { body: submission, headers: { 'Content-Type': 'multipart/form-data' } }],
        [path, { body: `\uFEFF${JSON.stringify(submission)}` }],
        [
          path,
          { body: gzipSync(JSON.stringify(submission)), headers: { 'Content-Encoding': 'gzip' } },
        ],
      ]
      for (const [where, sent] of lenient) {
        const { status, body } = await call(where, { method: 'POST', ...sent })
        expect(status, `${where} ${JSON.stringify(body)}`).to.equal(200)
      }
    })

    it('takes each form of a placeholder, a leading program name and generated sources', async () => {
      const texts = [
        '-i {{in_1}} {{out_1}}',
        '-i {{ in_1 }} {{ out_1 }}',
        '-i \\{\\{in_1\\}\\} \\{\\{out_1\\}\\}',
        '-i <<in_1>> <<out_1>>',
        'ffmpeg -y -i {{in_1}} {{out_1}}',
        '-f lavfi -i testsrc=d=1 {{out_1}}',
      ]
      for (const text of texts) {
        expect((await submit({ ...submission, ffmpeg_command: text })).status, text).to.equal(200)
      }
      const generated = '-f lavfi -i testsrc=d=1 {{out_1}}'
      const body = { ...submission, input_files: {}, ffmpeg_command: generated }
      expect((await submit(body)).status).to.equal(200)
    })

    it('takes a zip and a folder, alone and together', async () => {
      const zip = { input_files: null, input_compressed_folder: 'https://media.example/a.zip' }
      const folder = { output_files: 'OUTPUT_FOLDER' }
      const bodies = [
        { ...submission, ...zip, ffmpeg_command: '-i a.avi {{out_1}}' },
        { ...submission, ...folder, ffmpeg_command: '-i {{in_1}} part%03d.mp4' },
        { ...submission, ...zip, ...folder, ffmpeg_command: '-i a.avi b.mp4' },
      ]
      for (const body of bodies) {
        const answered = await submit(body)
        expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
        await record(answered)
      }
    })

    it("lowers what is above the plan's maximum and echoes what was sent", async () => {
      const body = { ...submission, vcpu_count: 64, max_command_run_seconds: 99_999 }
      const shown = await record(await submit(body))
      expect(shown).to.deep.include({ vcpu_count: 16, max_command_run_seconds: 3_600 })
      expect(field(shown, 'original_request')).to.deep.include({
        vcpu_count: 64,
        max_command_run_seconds: 99_999,
      })
    })

    it('lowers the defaults too', async () => {
      await app.addAccount('small', 'free', 'key-of-small')
      const { body } = await submit(submission, { key: 'key-of-small' })
      const id = String(field(body, 'command_id'))
      const shown = (await call(`/v1/commands/${id}`, { key: 'key-of-small' })).body
      expect(shown).to.deep.include({ vcpu_count: 4, max_command_run_seconds: 60 })
    })

    it('refuses private outputs on a plan without them', async () => {
      await app.addAccount('public-only', 'free', 'key-of-public-only')
      const sent = { key: 'key-of-public-only' }
      const { status, body } = await submit({ ...submission, is_private: true }, sent)
      expect([status, body]).to.deep.equal([
        403,
        { detail: "Plan 'free' does not include private outputs" },
      ])
    })

    it('refuses a suspended account, whose commands stay readable', async () => {
      await app.addAccount('late-payer', 'pro', 'key-of-late-payer')
      await app.database.database.query(
        'suspend',
        "update accounts set suspended = true where name = 'late-payer'",
      )
      const sent = { key: 'key-of-late-payer' }
      expect((await submit(submission, sent)).status).to.equal(403)
      expect((await call('/v1/commands', sent)).status).to.equal(200)
    })

    it('tells every mistake of the fields at once, and of the text only when they are right', async () => {
      const both = { ffmpeg_command: '-i {{in_9}}', output_files: {}, vcpu_count: 0 }
      expect(placesOf(await submit({ ...submission, ...both }))).to.deep.equal([
        'body.output_files too_short',
        'body.vcpu_count greater_than_equal',
      ])
      const { body } = await submit({ ...submission, ffmpeg_command: '-i {{in_2}} {{out_1}}' })
      expect(field(body, 'detail')).to.deep.equal([
        {
          loc: ['body', 'ffmpeg_command'],
          msg: "Unknown alias 'in_2' in '{{in_2}}' at character 4; declared: in_1, out_1",
          type: 'command_alias',
          ctx: { token: '{{in_2}}', position: 4 },
        },
      ])
    })

    it('refuses what is no JSON object', async () => {
      const bodies: [unknown, string][] = [
        ['', 'body missing'],
        ['{"ffmpeg_command"', 'body json_invalid'],
        [Buffer.from([0x22, 0xff, 0x22]), 'body json_invalid'],
        ['[]', 'body dict_type'],
        ['null', 'body dict_type'],
      ]
      for (const [body, mistake] of bodies) {
        const answered = await submit(body)
        expect([answered.status, ...placesOf(answered)]).to.deep.equal([422, mistake])
      }
      const none = await call(path, { method: 'POST' })
      expect(placesOf(none)).to.deep.equal(['body missing'])
    })

    it('never says what was in a body that is no JSON', async () => {
      const { body } = await submit('{"in_1": https://media.example/a.avi?signature=secret}')
      expect(JSON.stringify(body)).not.to.contain('signature')
    })

    it('refuses a body above 512 KiB, packed or not', async () => {
      const body = JSON.stringify({ ...submission, x: 'x'.repeat(524_288) })
      const expected = { detail: 'Request body larger than 524288 bytes' }
      expect(await submit(body)).to.deep.include({ status: 413, body: expected })
      const headers = { 'Content-Encoding': 'gzip' }
      const packed = await submit(gzipSync(body), { headers })
      expect(packed).to.deep.include({ status: 413, body: expected })
    })

    it('stores what arrives together, each under its own id', async () => {
      const answers = await Promise.all(Array.from({ length: 300 }, () => submit(submission)))
      expect(new Set(answers.map(idOf)).size).to.equal(300)
      expect(await record(answers[299] ?? expect.fail('no answer'))).to.include({
        status: 'QUEUED',
      })
    })
  })

  describe('reading a command', () => {
    it('finds it by its id in any case', async () => {
      const id = idOf(await submit(submission))
      expect((await call(`/v1/commands/${id.toUpperCase()}`)).body).to.include({ command_id: id })
    })

    it("answers 404 for unknown ids and other accounts' ids alike", async () => {
      await app.addAccount('other', 'pro', 'key-of-other')
      const foreign = idOf(await submit(submission, { key: 'key-of-other' }))
      for (const id of [unknownId, foreign]) {
        expect(await call(`/v1/commands/${id}`)).to.deep.include({
          status: 404,
          body: { detail: 'Command not found' },
        })
      }
    })

    it('refuses what is no id, and a time that is none', async () => {
      expect(placesOf(await call('/v1/commands/17'))).to.deep.equal([
        'path.command_id uuid_parsing',
      ])
      for (const seconds of ['-1', '604801', 'x', '1.5']) {
        const answered = await call(`/v1/commands/${unknownId}?presigned_ttl_seconds=${seconds}`)
        expect(answered.status, seconds).to.equal(422)
      }
    })

    it('signs the URLs of private outputs for as long as asked, and no others', async () => {
      const urls = async (isPrivate: boolean, seconds: string) => {
        const id = idOf(await submit({ ...submission, is_private: isPrivate }))
        await succeed(app, id)
        const { body } = await call(`/v1/commands/${id}?presigned_ttl_seconds=${seconds}`)
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
      const running = await submit(submission)
      await start(app, idOf(running))
      expect(await record(running)).to.deep.include({
        status: 'PROCESSING',
        processing_stage: 'FFMPEG_PROCESSING',
        progress_percent: 42,
        attempts: 1,
        output_files: null,
        queue_position: null,
      })
      const done = await submit(submission)
      await succeed(app, idOf(done))
      expect(await record(done)).to.deep.include({
        status: 'SUCCESS',
        processing_stage: null,
        progress_percent: 100,
        processing_quota_used: 3,
        ffmpeg_command_run_seconds: 1.5,
        error_status: null,
      })
      const failed = await submit(submission)
      await fail(app, idOf(failed))
      expect(await record(failed)).to.deep.include({
        status: 'FAILED',
        error_status: 'CANCELLED',
        error_message: 'Cancelled by request',
        output_files: null,
        processing_quota_used: 0,
      })
    })

    it('answers 304 where nothing has changed since the last poll', async () => {
      const where = `/v1/commands/${idOf(await submit(submission))}`
      const { headers } = await call(where)
      const again = await fetch(app.url + where, {
        headers: { 'X-API-KEY': app.key, 'If-None-Match': headers.get('etag') ?? '' },
      })
      expect([again.status, await again.text()]).to.deep.equal([304, ''])
    })
  })

  describe('listing commands', () => {
    const list = async (query: string) => {
      const { body } = await call(`/v1/commands${query}`, { key: 'key-of-lister' })
      return (Array.isArray(body) ? body : []).map((item: unknown) => field(item, 'command_id'))
    }
    let ids: string[] = []
    before(async () => {
      await app.addAccount('lister', 'pro', 'key-of-lister')
      for (let count = 0; count < 3; count++) {
        ids.unshift(idOf(await submit(submission, { key: 'key-of-lister' })))
      }
    })

    it('has the newest first, and pages by limit and offset', async () => {
      expect(await list('')).to.deep.equal(ids)
      expect(await list('?limit=1')).to.deep.equal(ids.slice(0, 1))
      expect(await list('?limit=1000&offset=1')).to.deep.equal(ids.slice(1))
      expect(await list('?offset=3')).to.deep.equal([])
      expect(await list('?offset=9007199254740991')).to.deep.equal([])
    })

    it('filters by status before paging', async () => {
      const [, second = ''] = ids
      await fail(app, second)
      expect(await list('?status=FAILED&limit=1')).to.deep.equal([second])
      expect(await list('?status=SUCCESS')).to.deep.equal([])
    })

    it('refuses pages that are none', async () => {
      for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'status=DONE']) {
        expect((await call(`/v1/commands?${query}`)).status, query).to.equal(422)
      }
    })
  })

  describe('keys', () => {
    const calls: [string, string][] = [
      ['POST', path],
      ['GET', '/v1/commands'],
      ['GET', `/v1/commands/${unknownId}`],
    ]
    for (const [method, where] of calls) {
      it(`are asked for by ${method} ${where}, before anything else is looked at`, async () => {
        const expected = { status: 401, body: { detail: 'Invalid authorization key' } }
        const body = method === 'POST' ? { body: 'x'.repeat(600_000) } : {}
        expect(await call(where, { method, key: null, ...body })).to.deep.include(expected)
        expect(await call(where, { method, key: 'cff_wrong' })).to.deep.include(expected)
        expect(await call(where, { method, key: ' ' })).to.deep.include(expected)
        const headers = { Authorization: `Bearer ${app.key}` }
        expect((await call(where, { method, key: null, headers })).body).to.deep.equal({
          detail: 'Invalid authorization key: send the key in the X-API-KEY header',
        })
      })
    }

    it('may have blanks around them and any case in their header', async () => {
      const headers = { 'x-Api-kEY': `  ${app.key} ` }
      expect((await call('/v1/commands', { key: null, headers })).status).to.equal(200)
    })
  })

  describe('paths', () => {
    it('that do not exist answer 404 with a hint, without a key', async () => {
      for (const where of ['/v1/jobs', '/v1/run', '/v1/command/7', '/nowhere', '/api/v1/jobs']) {
        const { status, body } = await call(where, { key: null })
        expect([status, String(field(body, 'detail')).slice(0, 9)]).to.deep.equal([
          404,
          'Not found',
        ])
      }
    })

    it('that exist with other methods answer 405 with those, without a key', async () => {
      const wrong: [string, string, string][] = [
        ['POST', '/v1/commands', 'GET, HEAD'],
        ['GET', path, 'POST'],
        ['DELETE', `/v1/commands/${unknownId}`, 'GET, HEAD'],
        ['OPTIONS', path, 'POST'],
      ]
      for (const [method, where, allow] of wrong) {
        const answered = await call(where, { method, key: null })
        expect([answered.status, answered.headers.get('allow')]).to.deep.equal([405, allow])
      }
    })

    it('that are badly encoded answer 404', async () => {
      expect((await call('/v1/commands/%zz')).status).to.equal(404)
    })

    it('answer HEAD like GET, without a body', async () => {
      expect((await call('/v1/commands', { method: 'HEAD' })).status).to.equal(200)
    })
  })

  it('names each request, by its own name if it has one', async () => {
    const own = await call('/livez', { headers: { 'X-Request-Id': 'trace-7' } })
    expect(own.headers.get('x-request-id')).to.equal('trace-7')
    const odd = await call('/livez', { headers: { 'X-Request-Id': 'x'.repeat(129) } })
    expect(odd.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
  })

  it('serves its description without a key', async () => {
    const { body } = await call('/openapi.json', { key: null })
    expect(body).to.deep.include({ openapi: '3.1.0' })
  })

  it('knows a new key at once and forgets a disabled one after five seconds', async () => {
    let now = 0
    const clock = {
      monotonicMs: () => now,
      wall: () => new Date(0),
      schedule: () => () => undefined,
    }
    const database = testPool(app.database.connectionString)
    const store = createPostgresStore(database)
    const { createAuthenticate } = await import('./http/authenticate.ts')
    const authenticate = createAuthenticate({ store, clock })
    const passes = () =>
      authenticate({ 'x-api-key': 'key-of-brief' }).then(
        () => true,
        () => false,
      )
    expect(await passes()).to.equal(false)
    await app.addAccount('brief', 'pro', 'key-of-brief')
    expect(await passes()).to.equal(true)
    const disable = `update api_keys set disabled = true
      where account_id = (select account_id from accounts where name = 'brief')`
    await database.query('disable', disable)
    now = 4_999
    expect(await passes()).to.equal(true)
    now = 5_000
    expect(await passes()).to.equal(false)
    await database.close()
  })
})

describe('the REST API without its database', () => {
  it('answers 503 with Retry-After on every call that needs it, and lives on', async () => {
    const nowhere = testPool('postgres://postgres@127.0.0.1:1/none')
    const app = await startTestApp({ store: createPostgresStore(nowhere) })
    const calls: [string, Sent][] = [
      [path, { method: 'POST', body: submission }],
      ['/v1/commands', {}],
      [`/v1/commands/${unknownId}`, {}],
      ['/readyz', {}],
    ]
    for (const [where, sent] of calls) {
      const { status, headers, body } = await checkedCall(app.url, where, { key: app.key, ...sent })
      expect([status, headers.get('retry-after'), body]).to.deep.equal([
        503,
        '1',
        { detail: 'Service temporarily unavailable' },
      ])
    }
    expect((await checkedCall(app.url, '/livez')).status).to.equal(200)
    expect((await checkedCall(app.url, '/v1/jobs')).status).to.equal(404)
    await app.close()
    await nowhere.close()
  })

  it('answers 503 until it has started, and sends clients elsewhere while it stops', async () => {
    const readiness: { state: 'starting' | 'serving' | 'draining' } = { state: 'starting' }
    const app = await startTestApp({ readiness })
    const call = (where: string) => checkedCall(app.url, where, { key: app.key })
    expect((await call('/v1/commands')).status).to.equal(503)
    expect((await call('/readyz')).status).to.equal(503)
    readiness.state = 'draining'
    const { status, headers } = await call('/v1/commands')
    expect([status, headers.get('connection')]).to.deep.equal([200, 'close'])
    expect((await call('/readyz')).status).to.equal(503)
    await app.close()
  })
})

async function start(app: TestApp, commandId: string): Promise<string> {
  const { store } = app
  await store.markDispatched(commandId, `uid-${commandId}`)
  const limits = { vcpuLimit: null, passSeconds: 300, liveJobLimit: 1_000 }
  await store.admit({ accountId: app.account.accountId, ...limits })
  const podUid = `pod-${commandId}`
  const claimed = await store.claimAttempt({ commandId, round: 1, podUid })
  expect(claimed.kind).to.equal('assigned')
  await store.storeProgress({
    commandId,
    attempt: podUid,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: 42,
    steps: [step('PROCESSING', 42)],
    logs: [],
  })
  return podUid
}

async function succeed(app: TestApp, commandId: string): Promise<void> {
  const attempt = await start(app, commandId)
  const nothing = { duration: null, width: null, height: null, codec: null, timebase: null }
  const file = {
    fileId: commandId.replace(/^./, '1'),
    alias: 'out_1',
    key: `public/${commandId}/small.mp4`,
    sizeBytes: 1_048_576,
    compressedBytes: null,
    fileCount: null,
    media: {
      ...nothing,
      file_type: 'video',
      file_format: 'mp4',
      pixel_format: null,
      mime_type: 'video/mp4',
      frame_rate: null,
      bitrate_video_kb: null,
      bitrate_audio_kb: null,
      video_profile_level: null,
      is_varying_frame_rate: null,
    },
  }
  const usage = {
    inputBytes: 2_097_152,
    outputBytes: 1_048_576,
    ffmpegStarted: true,
    ffmpegRunSeconds: 1.5,
  }
  const outcome = { status: 'SUCCESS', files: [file] } as const
  const steps = [step('SUCCESS', 100)]
  const report = { commandId, attempt, outcome, steps, usage, logs: [] }
  expect(await app.store.commitOutcome(report)).to.deep.equal({ kind: 'committed' })
}

async function fail(app: TestApp, commandId: string): Promise<void> {
  const outcome = {
    status: 'FAILED',
    errorStatus: 'CANCELLED',
    errorMessage: 'Cancelled by request',
  } as const
  const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
  expect(await app.store.commitOutcome(report)).to.deep.equal({ kind: 'committed' })
}

function step(status: 'PROCESSING' | 'SUCCESS', percent: number) {
  return {
    index: 0,
    status,
    progress_percent: percent,
    ffmpeg_command_run_seconds: null,
    exit_code: null,
  }
}

function field(value: unknown, name: string): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries)[name]
}

function placesOf({ body }: Answered): string[] {
  const detail = field(body, 'detail')
  return (Array.isArray(detail) ? detail : []).map((mistake: unknown) => {
    const loc = field(mistake, 'loc')
    return `${Array.isArray(loc) ? loc.join('.') : ''} ${String(field(mistake, 'type'))}`
  })
}
