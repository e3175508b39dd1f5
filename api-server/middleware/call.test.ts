import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { pro, startTestApp, submission, runPath } from '../../testing/support/api/app.ts'
import { checkedCall, field, placesOf } from '../checked-call.fixture.ts'
import { documented } from '../http/openapi.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { testPool } from '../../testing/support/database.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { Sent } from '../checked-call.fixture.ts'

describe('the order of checks', () => {
  let app: TestApp
  before(async () => {
    const little = { ...pro, private: false, storageMbytes: 0 }
    app = await startTestApp({
      plans: { pro, little, shut: { ...little, submissionsPerMinute: 0 } },
    })
    await app.addAccount('little', 'little', 'key-of-little')
    await app.addAccount('shut', 'shut', 'key-of-shut')
  })
  after(() => app.close())

  const oversized = 'x'.repeat(524_289)
  const badHeader = { 'Idempotency-Key': 'x'.repeat(256) }
  const badText = { ...submission, ffmpeg_command: '-i {{in_9}} {{out_1}}', is_private: true }
  const badSchema = { ...badText, vcpu_count: 0 }
  const shut = 'key-of-shut'
  const little = 'key-of-little'

  /** Each request has all the mistakes of those below it, and the answer names the first alone. */
  const steps: [string, string, Sent, number, string][] = [
    ['the path', '/v1/run', { key: null, body: oversized }, 404, 'Not found: did you mean'],
    [
      'the method',
      runPath,
      { method: 'PUT', key: null, body: oversized },
      405,
      'PUT is not allowed',
    ],
    ['the key', runPath, { key: 'wrong', body: oversized }, 401, 'Invalid authorization key'],
    ['the size', runPath, { key: shut, headers: badHeader, body: oversized }, 413, 'Request body'],
    ['JSON', runPath, { key: shut, headers: badHeader, body: '{' }, 422, 'body json_invalid'],
    [
      'the Idempotency-Key',
      runPath,
      { key: shut, headers: badHeader, body: badSchema },
      422,
      'header.idempotency-key string_too_long',
    ],
    [
      'the rate',
      runPath,
      { key: shut, body: badSchema },
      429,
      'Rate limit exceeded: 0 submissions',
    ],
    [
      'the schema',
      runPath,
      { key: little, body: badSchema },
      422,
      'body.vcpu_count greater_than_equal',
    ],
    ['the text', runPath, { key: little, body: badText }, 422, 'body.ffmpeg_command command_alias'],
    [
      'the plan',
      runPath,
      { key: little, body: { ...submission, is_private: true } },
      403,
      "Plan 'little' does not include private files",
    ],
    [
      'the quota',
      runPath,
      { key: little, body: submission },
      403,
      'Storage quota exceeded: 0 of 0 MB',
    ],
  ]
  for (const [what, path, sent, status, said] of steps) {
    it(`checks ${what} after the previous steps pass`, async () => {
      const answered = await checkedCall(app.url, path, { method: 'POST', ...sent })
      const detail = field(answered.body, 'detail')
      const text = typeof detail === 'string' ? detail : placesOf(answered).join()
      expect([answered.status, text.slice(0, said.length)]).to.deep.equal([status, said])
    })
  }
})

describe('an unreachable database', () => {
  it('an unreachable database is 503 with Retry-After on every call that has a key', async () => {
    const nowhere = testPool('postgres://postgres@127.0.0.1:1/none')
    const app = await startTestApp({ store: createPostgresStore(nowhere) })
    const keyed = documented.filter(({ description }) => description['security'] === undefined)
    expect(keyed.length).to.be.greaterThan(13)
    for (const { path, method } of keyed) {
      const where = path.replaceAll(/\{\w+\}/g, '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01')
      const { status, headers, body } = await checkedCall(app.url, where, {
        method: method.toUpperCase(),
        key: app.key,
        headers: { 'Idempotency-Key': 'one' },
      })
      expect([status, headers.get('retry-after'), body], `${method} ${path}`).to.deep.equal([
        503,
        '1',
        problemBody(503, 'Service temporarily unavailable'),
      ])
    }
    await app.close()
    await nowhere.close()
  })
})
