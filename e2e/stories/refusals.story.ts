import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'

const id = '0197a3f1-a001-7c3a-8d11-5b1c2e6f7a02'
const command = { input_files: {}, output_files: { out_1: 'a.png' } }
const generated = '-f lavfi -i testsrc2=duration=1 -frames:v 1 {{out_1}}'
const single = { ...command, ffmpeg_command: generated }
const chain = { ...command, ffmpeg_commands: [generated] }
const oneCommand = 'POST /v1/run-ffmpeg-command'
const chained = 'POST /v1/run-chained-ffmpeg-commands'

/** Call, mistake of the client, status of the answer, and a part of its text. */
const refusals: readonly [call: string, body: unknown, status: number, says: string][] = [
  [oneCommand, {}, 422, 'ffmpeg_command'],
  [oneCommand, 'no', 422, 'json_invalid'],
  [oneCommand, { ...single, ffmpeg_command: '-i {{in_9}} {{out_1}}' }, 422, "alias 'in_9'"],
  [oneCommand, { ...single, ffmpeg_command: '-i file:/x {{out_1}}' }, 422, 'command_'],
  [oneCommand, { ...single, metadata: { a: null } }, 422, 'metadata'],
  [oneCommand, { ...single, ffmpeg_command: 'ffprobe {{out_1}}' }, 422, '/v1/files/store-file'],
  ['GET /v1/run-ffmpeg-command', undefined, 405, 'POST'],
  [chained, single, 422, '/v1/run-ffmpeg-command'],
  [chained, { ...chain, output_files: 'OUTPUT_FOLDER' }, 422, 'output_files'],
  [`GET /v1/commands/${id}`, undefined, 404, 'Command not found'],
  ['GET /v1/commands/7', undefined, 422, 'uuid_parsing'],
  [`GET /v1/commands/${id}?presigned_ttl_seconds=-1`, undefined, 422, 'presigned_ttl_seconds'],
  ['GET /v1/commands?limit=1001', undefined, 422, 'limit'],
  ['GET /v1/commands?status=DONE', undefined, 422, 'status'],
  ['POST /v1/commands', single, 405, '/v1/run-ffmpeg-command'],
  [`DELETE /v1/commands/${id}`, undefined, 405, 'cancel'],
  [`POST /v1/commands/${id}/cancel`, undefined, 404, 'Command not found'],
  [`GET /v1/commands/${id}/logs`, undefined, 404, 'Command not found'],
  [`GET /v1/commands/${id}/events`, undefined, 404, 'Command not found'],
  ['POST /v1/files/store-file', {}, 422, 'file_url'],
  ['POST /v1/files/store-file', { file_url: 'ftp://media.example/a.mp4' }, 422, 'url_parsing'],
  ['POST /v1/files/init-upload', { filename: 'a', size_bytes: 0 }, 422, 'size_bytes'],
  ['POST /v1/files/init-upload', { filename: '../a', size_bytes: 1 }, 422, 'filename'],
  [`POST /v1/files/${id}/complete-upload`, { parts: [] }, 422, 'parts'],
  [
    `POST /v1/files/${id}/complete-upload`,
    { parts: [{ part_number: 1, etag: 'x' }] },
    404,
    'File not found',
  ],
  ['POST /v1/files/7/abort-upload', undefined, 404, 'File not found'],
  ['GET /v1/files?offset=-1', undefined, 422, 'offset'],
  ['POST /v1/files', {}, 405, '/v1/files/store-file'],
  [`GET /v1/files/${id}`, undefined, 404, 'File not found'],
  ['GET /v1/files/7', undefined, 422, 'uuid_parsing'],
  [`DELETE /v1/files/${id}`, undefined, 404, 'File not found'],
  [`DELETE /v1/commands/${id}/files`, undefined, 404, 'Command files not found'],
  ['POST /v1/files/bulk-delete', { file_ids: [] }, 422, 'file_ids'],
  ['POST /v1/files/bulk-delete', { file_ids: [id] }, 404, id],
  ['PUT /v1/webhook', { url: 'no' }, 422, 'url'],
  ['POST /v1/accounts', { email: 'a@media.example' }, 404, 'detail'],
  ['GET /v1/jobs', undefined, 404, '/v1/commands'],
]

describe('the deployed API', () => {
  const env = useEnvironment()

  for (const [call, body, status, says] of refusals) {
    const shown = body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 60)}`
    it(`answers ${call}${shown} with ${status} and says '${says}'`, async () => {
      const [method = '', path = ''] = call.split(' ')
      const answer = await fetch(env.installed.url + path, {
        method,
        headers: { 'x-api-key': env.installed.apiKey },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      expect(answer.status, text).to.equal(status)
      expect(text).to.include(says)
      expect(answer.headers.get('x-request-id')).not.to.equal(null)
    })
  }

  it('wants a key for all of it, and says where', async () => {
    for (const [call] of refusals.filter(([, , status]) => status !== 405)) {
      const [method = '', path = ''] = call.split(' ')
      if (['/v1/jobs', '/v1/accounts'].includes(path)) continue
      const headers = { authorization: 'Bearer x' }
      const answer = await fetch(env.installed.url + path, { method, headers })
      expect(answer.status, call).to.equal(401)
      expect(await answer.text()).to.include('X-API-KEY')
    }
  })
})
