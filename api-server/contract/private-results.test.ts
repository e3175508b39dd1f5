import { expect } from 'chai'
import { chainPath, runPath, submission, useApp } from '../../testing/support/api/app.ts'
import { field, idOf, placesOf } from '../checked-call.fixture.ts'
import { createFileUrls } from '../files/file-urls.ts'
import { claim, succeed } from '../../testing/support/api/outcomes.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { chain } from './the-calls.fixture.ts'
import type { Answered } from '../checked-call.fixture.ts'

const dry = '/v1/validate-ffmpeg-command'
const storePath = '/v1/files/store-file'
const file_url = 'https://media.example/clip.mov'
const privately = { is_private: true, presigned_ttl_seconds: 3_600 }

describe('presigned_ttl_seconds of a submission', () => {
  const app = useApp()

  /** A command that has ended with one output. */
  async function done(change: object, path = runPath, body: object = submission) {
    const answered = await app.post(path, { ...body, ...change })
    expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
    const commandId = idOf(answered)
    await succeed(app, commandId)
    return commandId
  }

  /** A file that was stored from a URL. */
  async function stored(change: object) {
    const fileId = idOf(await app.post(storePath, { file_url, ...change }), 'file_id')
    const { podUid } = await claim(app, fileId)
    const files = [{ ...newFile(fileId), key: `private/${fileId}/clip.mov` }]
    await app.store.commitOutcome(commitOf(fileId, podUid, { status: 'SUCCESS', files }))
    return fileId
  }

  const outputOf = (body: unknown) => field(field(body, 'output_files'), 'out_1')
  const urlOf = (file: unknown) => String(field(file, 'storage_url'))
  const shown = async (commandId: string, query = '') => {
    const answered = await app.call(`/v1/commands/${commandId}${query}`)
    return { answered, url: urlOf(outputOf(answered.body)) }
  }
  const listed = async (query: string, fileId: unknown) =>
    (await app.list(`/v1/files${query}`)).find((file) => file['file_id'] === fileId)

  const signedFor = (seconds: number) =>
    new RegExp(`^https://signed\\.example/.+\\?seconds=${seconds}$`)
  const plain = /^https:\/\/files\.example\/media\/[^?]+$/

  for (const [what, path, body] of [
    ['a command', runPath, submission],
    ['a chain', chainPath, chain],
  ] as const) {
    it(`presigns the URLs of ${what} in each record of it and of its files`, async () => {
      const commandId = await done(privately, path, body)
      const { answered, url } = await shown(commandId)
      expect(url).to.match(signedFor(3_600))
      const fileId = field(outputOf(answered.body), 'file_id')
      const file = await app.record(`/v1/files/${String(fileId)}`)
      expect(urlOf(file)).to.match(signedFor(3_600))
      for (const query of ['', `?command_id=${commandId}`]) {
        expect(urlOf(await listed(query, fileId)), query).to.match(signedFor(3_600))
      }
    })
  }

  it('presigns the URL of a file that was stored from a URL', async () => {
    const fileId = await stored(privately)
    expect(urlOf(await app.record(`/v1/files/${fileId}`))).to.match(signedFor(3_600))
    expect(urlOf(await listed('?kind=url', fileId))).to.match(signedFor(3_600))
  })

  it('leaves to each file of a list its own lifetime', async () => {
    const seconds = [60, 604_800]
    const ids = await Promise.all(
      seconds.map((each) => stored({ is_private: true, presigned_ttl_seconds: each })),
    )
    const without = await stored({ is_private: true })
    for (const [index, fileId] of ids.entries()) {
      expect(urlOf(await listed('', fileId))).to.match(signedFor(seconds[index] ?? 0))
    }
    expect(urlOf(await listed('', without))).to.match(plain)
  })

  it('gives way to a value of the call that reads', async () => {
    const commandId = await done(privately)
    const { answered } = await shown(commandId)
    const fileId = String(field(outputOf(answered.body), 'file_id'))
    const read = async (query: string) => [
      (await shown(commandId, query)).url,
      urlOf(await app.record(`/v1/files/${fileId}${query}`)),
    ]
    for (const url of await read('?presigned_ttl_seconds=60')) expect(url).to.match(signedFor(60))
    for (const url of await read('?presigned_ttl_seconds=')) expect(url).to.match(signedFor(3_600))
    expect((await shown(commandId, '?presigned_ttl_seconds=0')).url).to.match(plain)
  })

  it('signs anew at each read, and no cache may keep such an answer', async () => {
    const commandId = await done(privately)
    const { answered } = await shown(commandId)
    const fileId = String(field(outputOf(answered.body), 'file_id'))
    for (const path of [
      `/v1/commands/${commandId}`,
      `/v1/files/${fileId}`,
      '/v1/files',
      `/v1/files?command_id=${commandId}`,
    ]) {
      const { headers } = await app.call(path)
      expect(headers.get('cache-control'), path).to.equal('private, no-store')
      expect(headers.get('etag'), path).to.equal(null)
    }
    const open = await app.call(`/v1/commands/${await done({})}`)
    expect(open.headers.get('etag')).to.be.a('string')
  })

  it('presigned_ttl_seconds has no effect where absent, null or 0, nor on public files', async () => {
    for (const change of [
      { is_private: true },
      { is_private: true, presigned_ttl_seconds: null },
      { is_private: true, presigned_ttl_seconds: 0 },
      { presigned_ttl_seconds: 3_600 },
    ]) {
      const { url } = await shown(await done(change))
      expect(url, JSON.stringify(change)).to.match(plain)
    }
  })

  it('presigned_ttl_seconds stands in original_request, which can be sent again', async () => {
    const first = await app.record(`/v1/commands/${await done(privately)}`)
    expect(first['original_request']).to.deep.include(privately)
    const again = await done({}, runPath, first['original_request'] as object)
    expect((await shown(again)).url).to.match(signedFor(3_600))
    const usual = await app.record(`/v1/commands/${await done({})}`)
    expect(usual['original_request']).to.deep.include({ presigned_ttl_seconds: null })
  })

  it('takes 0 to 604,800 whole seconds, also as text', async () => {
    for (const [path, body] of [
      [runPath, submission],
      [chainPath, chain],
      [storePath, { file_url }],
    ] as const) {
      const send = (seconds: unknown) =>
        app.post(path, { ...body, is_private: true, presigned_ttl_seconds: seconds })
      for (const seconds of [0, 1, 604_800, '60', null]) {
        expect((await send(seconds)).status, `${path} ${seconds}`).to.equal(200)
      }
      for (const [seconds, kind] of [
        [-1, 'greater_than_equal'],
        [604_801, 'less_than_equal'],
        [1.5, 'int_parsing'],
        ['an hour', 'int_parsing'],
      ] as const) {
        expect(placesOf(await send(seconds)), `${path} ${seconds}`).to.deep.equal([
          `body.presigned_ttl_seconds ${kind}`,
        ])
      }
    }
  })
})

describe('presigned URLs beside the cache of polls', () => {
  let signatures = 0
  const app = useApp({
    pollCacheMs: 3_600_000,
    fileUrls: createFileUrls({
      publicBaseUrl: 'https://files.example/media',
      presign: async (key) => `https://signed.example/${key}?signature=${(signatures += 1)}`,
    }),
  })

  it('presigned URLs are never those of an earlier poll, which may have expired', async () => {
    const commandId = await app.submit(privately)
    await succeed(app, commandId)
    const poll = async () => {
      const outputs = (await app.record(`/v1/commands/${commandId}`))['output_files']
      return String(field(field(outputs, 'out_1'), 'storage_url'))
    }
    const urls = [await poll(), await poll(), await poll()]
    expect(new Set(urls).size).to.equal(urls.length)
    for (const url of urls) expect(url).to.contain('https://signed.example/')
  })
})

describe('warnings of a submission about private results', () => {
  const app = useApp()
  const webhook_url = 'https://app.example/hook'
  const playlist = {
    ffmpeg_command: '-i {{in_1}} -f hls {{out_playlist_1}}',
    output_files: { out_playlist_1: 'a.m3u8' },
  }
  const warningsOf = ({ body }: Answered) => field(body, 'warnings') ?? []

  /** The same of the submission and of a dry run. */
  async function warned(change: object, path = runPath, body: object = submission) {
    const sent = { ...body, ...change }
    const answered = await app.post(path, sent)
    expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
    const texts = warningsOf(answered) as string[]
    expect(warningsOf(await app.post(dry, sent))).to.deep.equal(texts)
    return texts
  }

  it('warnings say of a private playlist that its segments answer 403, and what serves instead', async () => {
    const [text = '', ...more] = await warned({ ...playlist, is_private: true })
    expect(more).to.deep.equal([])
    expect(text).to.match(/^out_playlist_1 is a private playlist/)
    expect(text).to.contain('segments answer 403').and.to.contain('/playlist')
    const dash = { ffmpeg_command: '-i {{in_1}} -f dash {{out_playlist_2}}' }
    const manifest = { output_files: { out_playlist_2: 'a.mpd' }, is_private: true }
    expect((await warned({ ...dash, ...manifest }))[0]).to.match(/^out_playlist_2 is a private/)
    const inChain = {
      ffmpeg_commands: [chain.ffmpeg_commands[0], '-i {{out_1}} -f hls {{out_playlist_1}}'],
      output_files: { out_1: 'both.mp4', ...playlist.output_files },
    }
    const texts = await warned({ ...inChain, is_private: true }, chainPath, chain)
    expect(texts).to.deep.equal([text])
  })

  it('warnings say nothing of a private playlist in the next submission of the text without is_private', async () => {
    expect(await warned({ ...playlist, is_private: true })).to.have.length(1)
    expect(await warned(playlist)).to.deep.equal([])
    expect(await warned({ ...playlist, is_private: true })).to.have.length(1)
  })

  it('warnings say that a webhook needs presigned_ttl_seconds for private files', async () => {
    const [text = ''] = await warned({ webhook_url, is_private: true })
    expect(text).to.contain('storage_url').and.to.contain('presigned_ttl_seconds')
    expect(await warned({ ...privately, webhook_url })).to.deep.equal([])
    expect(await warned({ webhook_url })).to.deep.equal([])
  })

  it('warnings say that the lifetime has no effect on public files', async () => {
    const text = 'is_private is false; presigned_ttl_seconds has no effect'
    expect(await warned({ presigned_ttl_seconds: 60 })).to.deep.equal([text])
    const stored = await app.post(storePath, { file_url, presigned_ttl_seconds: 60 })
    expect(stored.headers.get('warning')).to.equal(`299 - "${text}"`)
  })
})
