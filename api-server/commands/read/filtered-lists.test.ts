import { expect } from 'chai'
import { refusalOf } from '../../checked-call.fixture.ts'
import { unknownId, useApp } from '../../../testing/support/api/app.ts'
import { claim, fail, start, succeed } from '../../../testing/support/api/outcomes.ts'
import { commitOf, newFile } from '../../../testing/store-contract/fixtures.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'

describe('GET /v1/commands with filters', () => {
  const app = useApp()
  const ids: string[] = []
  const list = (query: string) => app.list(`/v1/commands?${query}`)
  const listed = async (query: string) => (await list(query)).map((item) => item['command_id'])

  before(async () => {
    for (let count = 0; count < 5; count++) ids.unshift(await app.submit({ vcpu_count: 2 }))
    const [, cancelled = '', done = '', running = ''] = ids
    await start(app, running)
    await succeed(app, done)
    await fail(app, cancelled)
  })

  it('lists several states in one order', async () => {
    const [newest, cancelled, done, running, oldest] = ids
    expect(await listed('status=SUCCESS,FAILED')).to.deep.equal([cancelled, done])
    expect(await listed('status=QUEUED,PROCESSING')).to.deep.equal([newest, running, oldest])
    expect(await listed('status=QUEUED,FAILED&limit=2&offset=1')).to.deep.equal([cancelled, oldest])
    expect(await listed('error_status=CANCELLED,DISK_FULL')).to.deep.equal([cancelled])
    expect(await listed('error_status=DISK_FULL')).to.deep.equal([])
  })

  it('lists what was created in a span that holds its beginning and not its end', async () => {
    const times = (await list('limit=5')).map((item) => String(item['created_at']))
    const [, second = '', , fourth = ''] = times
    expect(await listed(`created_after=${fourth}&created_before=${second}`)).to.deep.equal(
      ids.slice(2, 4),
    )
  })

  it('a list continues after a command, also with a filter and when newer ones are added', async () => {
    const [, cancelled = '', done, running, oldest] = ids
    const rest = [done, running, oldest]
    expect(await listed(`before_id=${cancelled.toUpperCase()}`)).to.deep.equal(rest)
    const added = await app.submit()
    expect(await listed(`before_id=${cancelled}&limit=2`)).to.deep.equal(rest.slice(0, 2))
    expect(await listed(`before_id=${cancelled}&status=QUEUED`)).to.deep.equal([oldest])
    expect(await listed(`before_id=${unknownId}`)).to.deep.equal([])
    await fail(app, added)
  })

  it('finds a text in commands, names of files and ids, in any letter case', async () => {
    const found = await app.submit({
      ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320,hue=s=0" {{out_1}}',
      input_files: { in_1: 'https://media.example/folder/Holiday%20Clip.AVI?signature=secret' },
      output_files: { out_1: 'grey_small.mp4' },
    })
    const later = await app.submit()
    const part = found.slice(9, 27).toUpperCase()
    for (const text of ['hue=s', '320,HUE', 'holiday%20', 'clip.avi', 'GREY_small', part]) {
      expect(await listed(`search=${encodeURIComponent(text)}`), text).to.deep.equal([found])
    }
    for (const text of ['signature', 'media.example', 'hue_s', 'folder']) {
      expect(await listed(`search=${text}`), text).to.deep.equal([])
    }
    expect(await listed('search=small.mp4&limit=1')).to.deep.equal([later])
    expect(await listed('search=small.mp4&limit=1&offset=1')).to.deep.equal([found])
    expect(await listed(`search=small.mp4&limit=1&before_id=${later}`)).to.deep.equal([found])
    await fail(app, later)
    expect(await listed('search=small.mp4&status=FAILED&limit=1')).to.deep.equal([later])
    expect(await listed('search=grey&error_status=CANCELLED')).to.deep.equal([])
    expect(refusalOf(await app.call('/v1/commands?search=ab'))).to.deep.equal([
      422,
      'query.search string_too_short',
    ])
    await fail(app, found)
  })

  it('lists commands by values of their metadata, in either notation', async () => {
    const from = `created_after=${new Date(Date.now() - 86_400_000).toISOString()}`
    const marked = await app.submit({ metadata: { order: 18, 'sent by': 'ana', paid: true } })
    const other = await app.submit({ metadata: { order: 18 } })
    expect(await listed(`metadata.order=18&${from}`)).to.deep.equal([other, marked])
    expect(
      await listed(`metadata[order]=18&metadata.sent%20by=ana&metadata.paid=true&${from}`),
    ).to.deep.equal([marked])
    expect(await listed(`metadata.order=18&metadata.none=1&${from}`)).to.deep.equal([])
    expect(await listed(`metadata.order=18&${from}&status=FAILED`)).to.deep.equal([])
    for (const id of [marked, other]) await fail(app, id)
    expect(await listed(`metadata.order=18&${from}&error_status=CANCELLED`)).to.have.length(2)
    expect(
      (await app.call(`/v1/commands?metadata.order=18&${from}`)).headers.has('warning'),
    ).to.equal(false)
  })

  it('lists by metadata the last 31 days before created_before or now when created_after is absent', async () => {
    const { body } = await app.call('/openapi.json')
    const parameters = body as { paths: Record<string, Record<string, { parameters: object[] }>> }
    const metadata = parameters.paths['/v1/commands']?.['get']?.parameters.find(
      (one) => 'name' in one && one.name === 'metadata',
    )
    expect(metadata, 'the reference fills nothing in').to.deep.include({ example: {} })
    const old = await app.submit({ metadata: { age: 'old' } })
    const young = await app.submit({ metadata: { age: 'young' } })
    const created =
      "update commands set created_at = now() - interval '31.5 days' where command_id = $1"
    await app.query('age', created, [old])
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    expect(await listed('metadata.age=old')).to.deep.equal([])
    expect(await listed('metadata.age=young')).to.deep.equal([young])
    expect(await listed(`metadata.age=young&created_before=${tomorrow}`)).to.deep.equal([young])
    expect(await listed(`metadata.age=old&created_before=${yesterday}`)).to.deep.equal([old])
    for (const id of [old, young]) await fail(app, id)
  })

  it('takes a date, and a time with an offset whose + arrives as a blank', async () => {
    const [newest = {}] = await list('limit=1')
    const at = String(newest['created_at'])
    const east = new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 19)
    const sent = `${east}.${at.slice(20, 26)}+01:00`
    for (const time of [sent, encodeURIComponent(sent), sent.replace('+', '%20')]) {
      expect(await listed(`created_after=${time}`), time).to.deep.equal([newest['command_id']])
    }
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const since = await listed(`created_after=${day(-1)}&created_before=${day(1)}&limit=1`)
    expect(since).to.deep.equal([newest['command_id']])
    expect(await listed(`created_after=${day(1)}`)).to.deep.equal([])
  })

  it('refuses a list by metadata of too long a span, and by too many values', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const span = 'A list by metadata should span at most 31 days'
    const { status, body } = await app.call(`/v1/commands?metadata.a=1&created_after=${ago(32)}`)
    expect(status).to.equal(422)
    expect(JSON.stringify(body)).to.contain(span)
    const long = `metadata.a=1&created_after=${ago(70)}&created_before=${ago(40)}`
    expect((await app.call(`/v1/commands?${long}`)).status).to.equal(200)
    const four = `metadata.a=1&metadata.b=1&metadata.c=1&metadata.d=1&created_after=${ago(1)}`
    expect((await app.call(`/v1/commands?${four}`)).status).to.equal(422)
    expect((await app.call(`/v1/commands?metadata=1&created_after=${ago(1)}`)).status).to.equal(422)
  })

  it('hides what other accounts have, also as the place where a page begins', async () => {
    const key = 'key-of-other'
    await app.addAccount('other', 'pro', key)
    const answer = await app.list(`/v1/commands?before_id=${ids[0]}&status=QUEUED,FAILED`, { key })
    expect(answer).to.deep.equal([])
  })

  it('adds progress and request where they are wanted, and no key elsewhere', async () => {
    const [newest, , , running] = ids
    const items = await list('expand=progress,request&status=QUEUED,PROCESSING')
    const of = (id: string | undefined) => items.find((item) => item['command_id'] === id)
    expect(of(running)).to.deep.include({
      processing_stage: 'FFMPEG_PROCESSING',
      progress_percent: 42,
      queue_position: null,
      queue_reason: null,
      queue_message: null,
      vcpu_count: 2,
      steps_count: 1,
      ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}',
    })
    expect(of(running)?.['started_at']).to.be.a('string')
    // The oldest of the two that wait is first, and the start of another one has admitted both.
    expect(of(newest)).to.include({ processing_stage: null, started_at: null })
    const [plain = {}] = await list('limit=1')
    const [progress = {}] = await list('limit=1&expand=progress')
    expect(Object.keys(plain)).to.have.length(12)
    expect(Object.keys(progress).slice(12).join()).to.equal(
      'processing_stage,progress_percent,queue_position,queue_reason,queue_message,started_at,vcpu_count',
    )
  })

  it('adds the names of the first three inputs and outputs, and null once the request is deleted', async () => {
    const key = 'key-of-names'
    await app.addAccount('names', 'pro', key)
    const url = (name: string) => `https://media.example/a/Clip%20${name}.mov?signature=secret/x`
    const many = {
      ffmpeg_command: '-i {{in_b}} -i {{in_10}} -i {{in_9}} -i {{in_1}} {{out_1}}',
      input_files: Object.fromEntries(['b', '10', '9', '1'].map((one) => [`in_${one}`, url(one)])),
    }
    const zipped = {
      ffmpeg_command: '-i a.png OUTPUT.mp4',
      input_files: undefined,
      input_compressed_folder: 'https://media.example/parts.zip?x=/y',
      output_files: 'OUTPUT_FOLDER',
    }
    const generated = {
      ffmpeg_command: '-f lavfi -i testsrc -t 1 -f null -',
      input_files: {},
      output_files: {},
    }
    const deleted = await app.submit({}, { key })
    await app.query(
      'empty',
      `update commands set original_request = null, source =
       '{"commands":[],"inputFiles":null,"inputCompressedFolder":null,"outputFiles":null}' where command_id = $1`,
      [deleted],
    )
    for (const change of [many, zipped, generated]) await app.submit(change, { key })
    const items = await app.list('/v1/commands?expand=names', { key })
    expect(items.map((item) => [item['input_names'], item['output_names']])).to.deep.equal([
      [[], []],
      [['parts.zip'], ['OUTPUT_FOLDER']],
      [['Clip b.mov', 'Clip 10.mov', 'Clip 9.mov'], ['small.mp4']],
      [null, null],
    ])
    expect(Object.keys(items[0] ?? {}).slice(12)).to.deep.equal(['input_names', 'output_names'])
  })

  it('returns the URL of an image, else of a video, and null once it is deleted or when it is private', async () => {
    const key = 'key-of-previews'
    const account = await app.addAccount('previews', 'pro', key)
    const ends = async (names: readonly string[], change: object = {}, sizeBytes = 2_000) => {
      const id = await app.submit(change, { key })
      const { podUid } = await claim(app, id, account)
      const files = names.map((name, index) => ({
        ...newFile(id, name),
        alias: `out_${index + 1}`,
        sizeBytes,
        media: { ...unknownMedia, file_type: name.endsWith('png') ? 'image' : 'video' },
      }))
      await app.store.commitOutcome(commitOf(id, podUid, { status: 'SUCCESS', files }))
      return id
    }
    await ends(['b.mp4', 'c.png'])
    await ends(['d.mp4', 'e.mp4'])
    await ends(['f.png', 'g.mp4'], {}, 9_000_000)
    await ends(['h.mp4'], { is_private: true })
    await ends(['i.mp4'], { is_private: true, presigned_ttl_seconds: 60 })
    const deleted = await ends(['j.png'])
    await app.submit({}, { key })
    await app.remove(`/v1/commands/${deleted}/files`, { key })
    const items = await app.list('/v1/commands?expand=preview', { key })
    const names = items.map(({ preview_url: url }) =>
      typeof url === 'string' ? url.split('/').at(-1) : url,
    )
    expect(names).to.deep.equal([null, null, names[2], null, 'g.mp4', 'd.mp4', 'c.png'])
    expect(names[2]).to.match(/^i\.mp4\?/)
    const [plain = {}] = await app.list('/v1/commands?expand=names', { key })
    expect(plain).not.to.have.property('preview_url')
  })

  it('numbers the queue by priority, then by time', async () => {
    const key = 'key-of-queue'
    await app.addAccount('queue', 'pro', key)
    const places: [string, number][] = []
    for (const [priority, place] of [
      ['normal', 2],
      ['normal', 3],
      ['high', 1],
    ] as const) {
      places.unshift([await app.submit({ priority }, { key }), place])
    }
    const items = await app.list('/v1/commands?expand=progress', { key })
    expect(items.map((item) => [item['command_id'], item['queue_position']])).to.deep.equal(places)
    expect(items[0]?.['queue_reason']).to.equal('DISPATCH')
  })

  for (const [query, place] of [
    ['status=QUEUED,DONE', 'query.status enum'],
    ['error_status=NONE', 'query.error_status enum'],
    ['created_after=yesterday', 'query.created_after value_error'],
    ['created_after=0000-01-01T00:00:00Z', 'query.created_after value_error'],
    ['created_before=2026-02-30T00:00:00Z', 'query.created_before value_error'],
    [
      'metadata.a=%00&created_after=2026-11-01T00:00:00Z',
      'query.metadata.a string_pattern_mismatch',
    ],
    [
      'metadata.%00=1&created_after=2026-11-01T00:00:00Z',
      'query.metadata.\0 string_pattern_mismatch',
    ],
    ['before_id=7', 'query.before_id uuid_parsing'],
    ['expand=all', 'query.expand enum'],
    [`before_id=${unknownId}&offset=1`, 'query.before_id value_error'],
  ] as const) {
    it(`rejects the query ${query}`, async () => {
      const answer = await app.call(`/v1/commands?${query}`)
      expect(refusalOf(answer)).to.deep.equal([422, place])
    })
  }
})
