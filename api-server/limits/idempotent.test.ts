import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { useResource } from '../../testing/support/mocha.ts'
import { pro, startTestApp, submission, runPath, useApp } from '../../testing/support/api/app.ts'
import { checkedCall, field, refusalOf } from '../checked-call.fixture.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { Answered } from '../checked-call.fixture.ts'
import type { Failpoint, FailpointName } from '../../common/runtime/effects.ts'

describe('a request under an Idempotency-Key', () => {
  const plans = { pro, small: { ...pro, submissionsPerMinute: 2 } }
  const app = useApp({ plans })
  const replica = useResource(() => startTestApp({ plans }, app))

  const submit = (
    key: string,
    body: unknown = submission,
    sent: { to?: TestApp; path?: string; as?: string } = {},
  ): Promise<Answered> =>
    checkedCall((sent.to ?? app).url, sent.path ?? runPath, {
      method: 'POST',
      key: sent.as ?? app.key,
      headers: { 'Idempotency-Key': key },
      body,
    })

  /** The state after a crash: the lease of the key has expired. */
  const endLeases = () =>
    app.query('end_leases', 'update idempotency_keys set leased_until = now()')

  it('a repeated request gets its first answer again with its fields in any order', async () => {
    const first = await submit('order-1')
    expect(first.headers.get('idempotency-replayed')).to.equal(null)
    const reversed = Object.fromEntries(Object.entries(submission).toReversed())
    for (const [body, path] of [
      [submission, runPath],
      [reversed, `/api${runPath}/`],
    ] as const) {
      const again = await submit('order-1', body, { path, to: replica })
      expect([again.status, again.body]).to.deep.equal([200, first.body])
      expect(again.headers.get('idempotency-replayed')).to.equal('true')
    }
  })

  it('creates one command for any number of concurrent requests', async () => {
    const before = await app.count('commands')
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        submit('race', submission, { to: index % 2 === 0 ? app : replica }),
      ),
    )
    expect(await app.count('commands')).to.equal(before + 1)
    const ids = new Set(
      all.filter(({ status }) => status === 200).map(({ body }) => field(body, 'command_id')),
    )
    expect(ids.size).to.equal(1)
    for (const { headers, body } of all.filter(({ status }) => status !== 200)) {
      expect(body).to.deep.equal(
        problemBody(
          409,
          'A request with this Idempotency-Key is in progress',
          'idempotency_in_progress',
        ),
      )
      expect(headers.get('retry-after')).to.equal('1')
    }
  })

  it('rejects another request with a used Idempotency-Key', async () => {
    await submit('order-2')
    const others = [
      submit('order-2', { ...submission, vcpu_count: 2 }),
      submit('order-2', { ...submission, metadata: { order: '17' } }),
      submit('order-2', { ffmpeg_commands: [] }, { path: '/v1/run-chained-ffmpeg-commands' }),
    ]
    for (const answered of await Promise.all(others)) {
      const mistake = 'header.idempotency-key idempotency_key_reused'
      expect(refusalOf(answered)).to.deep.equal([422, mistake])
    }
  })

  it('an Idempotency-Key is not shared with another account', async () => {
    await app.addAccount('other', 'pro', 'key-of-other')
    const [mine, theirs] = await Promise.all([
      submit('order-3'),
      submit('order-3', submission, { as: 'key-of-other' }),
    ])
    expect(field(mine.body, 'command_id')).not.to.equal(field(theirs.body, 'command_id'))
  })

  it('stores no refusal, so a corrected request may use the same key', async () => {
    expect((await submit('order-4', { ...submission, vcpu_count: 0 })).status).to.equal(422)
    expect((await submit('order-4')).status).to.equal(200)
  })

  it('takes no rate token when it is answered again', async () => {
    await app.addAccount('small', 'small', 'key-of-small')
    const sent = { as: 'key-of-small' }
    for (let round = 0; round < 4; round++) {
      for (const key of ['one', 'two']) {
        expect((await submit(key, submission, sent)).status).to.equal(200)
      }
    }
    expect((await submit('three', submission, sent)).status).to.equal(429)
  })

  it('an Idempotency-Key expires after a day', async () => {
    const first = await submit('order-5')
    await app.query(
      'age_keys',
      `update idempotency_keys set created_at = created_at - interval '25 hours'`,
    )
    const later = await submit('order-5')
    expect(later.headers.get('idempotency-replayed')).to.equal(null)
    expect(field(later.body, 'command_id')).not.to.equal(field(first.body, 'command_id'))
    expect(await app.store.expireIdempotencyKeys(1_000)).to.be.greaterThan(0)
    expect((await submit('order-5')).body).to.deep.equal(later.body)
  })

  it('requires a key of 1 to 255 printable characters', async () => {
    for (const [key, type] of [
      ['', 'string_too_short'],
      ['x'.repeat(256), 'string_too_long'],
      ['caf\u00e9', 'string_pattern_mismatch'],
    ] as const) {
      const mistake = `header.idempotency-key ${type}`
      expect(refusalOf(await submit(key))).to.deep.equal([422, mistake])
    }
    expect((await submit('x'.repeat(255))).status).to.equal(200)
    expect((await submit('a key, with "blanks"')).status).to.equal(200)
  })

  it('accepts half a megabyte of brackets', async () => {
    const deep = `{"metadata":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect((await submit('deep', deep)).status).to.equal(422)
  })

  for (const [where, made] of [
    ['api.validated', 0],
    ['limits.answer_kept', 1],
  ] as const) {
    it(`a repeated request has one effect after a crash at ${where}`, async () => {
      const before = await app.count('commands')
      const { effects, reached } = crashingAt(where)
      const dying = await startTestApp({ plans, effects }, app)
      const lost = submit(where, submission, { to: dying }).catch(() => null)
      await reached
      await dying.close()
      expect(await lost).to.equal(null)
      expect(await app.count('commands')).to.equal(before + made)
      expect((await submit(where)).status).to.equal(409)
      await endLeases()
      const again = await submit(where)
      expect(again.status).to.equal(200)
      expect(await app.count('commands')).to.equal(before + 1)
      expect((await submit(where)).body).to.deep.equal(again.body)
    })
  }

  /** A process that crashes before an effect. */
  function crashingAt(point: FailpointName) {
    const { promise: reached, resolve } = Promise.withResolvers<undefined>()
    const failpoint: Failpoint = (name, effect) => {
      if (name !== point) return effect()
      resolve(undefined)
      return new Promise(() => undefined)
    }
    return { effects: systemEffects(failpoint), reached }
  }
})
