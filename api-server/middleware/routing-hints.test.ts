import { expect } from 'chai'
import { operation } from '../http/openapi.ts'
import { unknownPathHint, wrongMethodHint } from './routing-hints.ts'
import type { OperationId } from '../http/openapi.ts'

const ids: OperationId[] = [
  'runFfmpegCommand',
  'runChainedFfmpegCommands',
  'validateFfmpegCommand',
  'getCommand',
  'listCommands',
  'cancelCommand',
  'getCommandLogs',
  'getCommandEvents',
  'deleteCommandFiles',
  'storeFile',
  'initUpload',
  'completeUpload',
  'abortUpload',
  'listFiles',
  'getFile',
  'deleteFile',
  'bulkDeleteFiles',
  'getWebhook',
  'putWebhook',
  'listWebhookDeliveries',
  'getUsage',
]
const all = ids.map(operation)

describe('routing hints', () => {
  const unknown: [string, string, string][] = [
    ['GET', '/v1/jobs', 'GET /v1/commands'],
    ['POST', '/v1/jobs', 'POST /v1/run-ffmpeg-command'],
    ['GET', '/v1/jobs/7', 'GET /v1/commands/{command_id}'],
    ['POST', '/v1/run', 'POST /v1/run-ffmpeg-command'],
    ['POST', '/v1/run-chained', 'POST /v1/run-chained-ffmpeg-commands'],
    ['GET', '/v1/command/0197a3f1', 'GET /v1/commands/{command_id}'],
    ['GET', '/v1/commands/0197a3f1/status', 'GET /v1/commands/{command_id}'],
    ['GET', '/v1/commands/0197a3f1/log', 'GET /v1/commands/{command_id}/logs'],
    ['POST', '/v1/jobs/7/cancel', 'POST /v1/commands/{command_id}/cancel'],
    ['POST', '/v1/upload', 'POST /v1/files/init-upload or POST /v1/files/store-file'],
    ['POST', '/v1/files/7/complete', 'POST /v1/files/{file_id}/complete-upload'],
    ['GET', '/v1/files/7/download', 'GET /v1/files/{file_id}'],
    ['POST', '/v1/webhooks', 'PUT /v1/webhook'],
    ['GET', '/v1/webhooks/deliveries', 'GET /v1/webhook/deliveries'],
    ['POST', '/v1/validate', 'POST /v1/validate-ffmpeg-command'],
    ['GET', '/v1/account', 'GET /v1/usage'],
    ['GET', '/commands', 'GET /v1/commands'],
    ['DELETE', '/files/7', 'DELETE /v1/files/{file_id}'],
    ['POST', '/run-ffmpeg-command', 'POST /v1/run-ffmpeg-command'],
    ['POST', '//v1/run-ffmpeg-command', 'POST /v1/run-ffmpeg-command'],
    ['GET', '/v1//commands', 'GET /v1/commands'],
  ]
  for (const [method, path, calls] of unknown) {
    it(`answers ${method} ${path} with ${calls}`, () => {
      expect(unknownPathHint(method, path, all)).to.equal(`Not found: did you mean ${calls}?`)
    })
  }

  const wrong: [string, string, string][] = [
    ['POST', '/v1/commands', 'POST /v1/run-ffmpeg-command or GET /v1/commands'],
    ['GET', '/v1/run-ffmpeg-command', 'POST /v1/run-ffmpeg-command'],
    ['GET', '/api/v1/run-ffmpeg-command/', 'POST /v1/run-ffmpeg-command'],
    [
      'POST',
      '/v1/files',
      'POST /v1/files/store-file or POST /v1/files/init-upload or GET /v1/files',
    ],
    [
      'POST',
      '/v1/files/upload',
      'POST /v1/files/store-file or POST /v1/files/init-upload or GET /v1/files/{file_id} or DELETE /v1/files/{file_id}',
    ],
    [
      'DELETE',
      '/v1/commands/0197a3f1',
      'POST /v1/commands/{command_id}/cancel or DELETE /v1/commands/{command_id}/files or GET /v1/commands/{command_id}',
    ],
    ['DELETE', '/v1/files', 'POST /v1/files/bulk-delete or GET /v1/files'],
    [
      'GET',
      '/v1/commands/0197a3f1/files',
      'GET /v1/commands/{command_id} or DELETE /v1/commands/{command_id}/files',
    ],
  ]
  for (const [method, path, calls] of wrong) {
    it(`answers ${method} ${path} with ${calls}`, () => {
      expect(wrongMethodHint(method, path, all)).to.equal(
        `${method} is not allowed on this path: use ${calls}`,
      )
    })
  }

  const near: [string, string, string][] = [
    [
      'GET',
      '/v1/comands/7/logz',
      'GET /v1/commands/{command_id}/logs or GET /v1/commands/{command_id}',
    ],
    ['GET', '/v1/usages', 'GET /v1/usage or GET /v1/files'],
    ['PUT', '/webhok', 'PUT /v1/webhook or GET /v1/webhook'],
  ]
  for (const [method, path, calls] of near) {
    it(`names the nearest two calls when ${method} ${path} is asked`, () => {
      expect(unknownPathHint(method, path, all)).to.equal(
        `Not found: the nearest calls are ${calls}; /docs/api has all`,
      )
    })
  }

  it('returns a short hint when a path resembles none, however long it is', () => {
    for (const path of ['/teapot', `/${'x/'.repeat(8_000)}`]) {
      expect(unknownPathHint('GET', path, all).length, path.slice(0, 9)).to.be.below(160)
    }
  })

  it('names no call that is not served', () => {
    expect(unknownPathHint('POST', '/v1/run', [operation('getCommand')])).to.equal(
      'Not found: the nearest calls are GET /v1/commands/{command_id}; /docs/api has all',
    )
  })

  const twice: [string, string][] = [
    ['/v1/v1/commands', ': the call is GET /v1/commands'],
    ['/api/v1/v1/v1/commands', ': the call is GET /v1/commands'],
    ['/v1/v1/teapot', ''],
    ['/v1/v1', ''],
  ]
  for (const [path, call] of twice) {
    it(`names the base URL when ${path} has /v1 twice`, () => {
      expect(unknownPathHint('GET', path, all)).to.equal(
        `Not found: the path has /v1 twice; drop /v1 from the base URL${call}`,
      )
    })
  }
})
