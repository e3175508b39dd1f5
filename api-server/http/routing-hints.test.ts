import { expect } from 'chai'
import { operation } from './openapi.ts'
import { unknownPathHint, wrongMethodHint } from './routing-hints.ts'

const served = [operation('runFfmpegCommand'), operation('getCommand'), operation('listCommands')]

describe('routing hints', () => {
  const paths: [string, string, string][] = [
    ['GET', '/v1/jobs', 'GET /v1/commands'],
    ['POST', '/v1/jobs', 'POST /v1/run-ffmpeg-command'],
    ['GET', '/v1/jobs/7', 'GET /v1/commands/{command_id}'],
    ['POST', '/v1/run', 'POST /v1/run-ffmpeg-command'],
    ['GET', '/v1/command/0197a3f1', 'GET /v1/commands/{command_id}'],
    ['GET', '/v1/commands/0197a3f1/status', 'GET /v1/commands/{command_id}'],
    ['GET', '/commands', 'GET /v1/commands'],
    ['POST', '/run-ffmpeg-command', 'POST /v1/run-ffmpeg-command'],
  ]
  for (const [method, path, call] of paths) {
    it(`answers ${method} ${path} with ${call}`, () => {
      expect(unknownPathHint(method, path, served)).to.equal(`Not found: did you mean ${call}?`)
    })
  }

  it('lists the calls for a path that resembles none', () => {
    expect(unknownPathHint('GET', '/teapot', served)).to.match(
      /POST \/v1\/run-ffmpeg-command, GET /,
    )
  })

  it('names no call that is not served', () => {
    expect(unknownPathHint('POST', '/v1/run', [operation('getCommand')])).to.equal(
      'Not found: the calls are GET /v1/commands/{command_id}; /openapi.json describes them',
    )
  })

  it('names the call that was meant before the methods of the path', () => {
    expect(wrongMethodHint('POST', '/v1/commands', served)).to.equal(
      'POST is not allowed on this path: use POST /v1/run-ffmpeg-command or GET /v1/commands',
    )
  })
})
