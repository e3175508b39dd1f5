import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { submission, unknownId, useApp, runPath } from '../../testing/support/api/app.ts'
import { field } from '../checked-call.fixture.ts'

describe('routing', () => {
  const app = useApp()

  it('answers 404 with a hint for unknown paths, without a key', async () => {
    for (const where of ['/v1/jobs', '/v1/run', '/v1/command/7', '/nowhere', '/api/v1/jobs']) {
      const { status, body } = await app.call(where, { key: null })
      expect([status, String(field(body, 'detail')).slice(0, 9)]).to.deep.equal([404, 'Not found'])
    }
  })

  it('serves a call when the base URL ends with a slash', async () => {
    for (const where of ['//v1/commands', '/api//v1/commands', '///v1/commands?limit=1']) {
      expect((await app.call(where)).status, where).to.equal(200)
    }
    expect((await app.call('//docs/api/')).status).to.equal(404)
  })

  it('answers 405 with the right methods for known paths, without a key', async () => {
    const wrong: [string, string, string][] = [
      ['POST', '/v1/commands', 'GET, HEAD'],
      ['GET', runPath, 'POST'],
      ['DELETE', `/v1/commands/${unknownId}`, 'GET, HEAD'],
      ['OPTIONS', runPath, 'POST'],
      ['POST', '/v1/files', 'GET, HEAD'],
      ['POST', '/v1/files/upload', 'GET, HEAD, DELETE'],
      ['GET', '/v1/files/store-file', 'POST'],
      ['DELETE', '/api/v1/files/bulk-delete/', 'POST'],
    ]
    for (const [method, where, allow] of wrong) {
      const answered = await app.call(where, { method, key: null })
      expect([answered.status, answered.headers.get('allow')]).to.deep.equal([405, allow])
    }
  })

  it('answers 404 for a path with an invalid encoding', async () => {
    const undecodable = await app.call('/v1/commands/%zz')
    expect([undecodable.status, undecodable.body]).to.deep.equal([
      404,
      problemBody(404, 'The path must be percent-encoded UTF-8'),
    ])
  })

  it('answers HEAD like GET, without a body', async () => {
    expect((await app.call('/v1/commands', { method: 'HEAD' })).status).to.equal(200)
  })
})

describe('bodies with a usual wrong guess', () => {
  const app = useApp()

  const { ffmpeg_command: text, ...files } = submission
  const chain = '/v1/run-chained-ffmpeg-commands'
  const guesses: [string, string, object, string, RegExp][] = [
    ['command', runPath, { ...files, command: text }, 'missing', /found 'command'/],
    ['cmd', runPath, { ...files, cmd: text }, 'missing', /found 'cmd'/],
    [
      'a chain sent as a single command',
      runPath,
      { ...files, ffmpeg_commands: [text] },
      'missing',
      /found 'ffmpeg_commands'.*POST \/v1\/run-chained-ffmpeg-commands/,
    ],
    [
      'a single command sent as a chain',
      chain,
      submission,
      'missing',
      /found 'ffmpeg_command'.*POST \/v1\/run-ffmpeg-command/,
    ],
    [
      'an alias without its prefix',
      runPath,
      { ...submission, input_files: { video: 'https://media.example/a.mp4' } },
      'string_pattern_mismatch',
      /in_/,
    ],
    [
      'another program',
      runPath,
      { ...submission, ffmpeg_command: 'ffprobe -i {{in_1}}' },
      'command_syntax',
      /POST \/v1\/files\/store-file/,
    ],
  ]
  for (const [guess, where, body, type, said] of guesses) {
    it(`bodies with a usual wrong guess are answered with the right name for ${guess}`, async () => {
      const answered = await app.post(where, body)
      const detail = field(answered.body, 'detail')
      const first: unknown = Array.isArray(detail) ? detail[0] : null
      expect([answered.status, field(first, 'type')]).to.deep.equal([422, type])
      expect(field(first, 'msg')).to.match(said)
    })
  }
})
