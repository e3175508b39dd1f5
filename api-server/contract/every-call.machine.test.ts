import { useFilesApp } from '../../testing/support/api/files.ts'
import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { pro, unknownId } from '../../testing/support/api/app.ts'
import { checkedCall, field, placesOf, refusalOf } from '../checked-call.fixture.ts'
import {
  bulkDelete,
  deleteFile,
  getCommand,
  getFile,
  neverLimited,
  reads,
  submissions,
  thirteen,
  withBody,
  sent,
} from './the-calls.fixture.ts'
import type { Sent } from '../checked-call.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

describe('each of the thirteen calls', () => {
  // The bucket holds one submission, and is full again after a week.
  const tight = { ...pro, submissionsPerMinute: 0.0001, private: false }
  const shut = { ...pro, submissionsPerMinute: 0, readsPerMinute: 0 }
  const app = useFilesApp({ plans: { pro, tight, shut } })
  before(async () => {
    await app.addAccount('shut', 'shut', 'key-of-shut')
  })

  const send = (call: Call, change: Sent = {}, path = call.path) =>
    app.call(path, { ...sent(call), ...change })

  for (const call of thirteen) {
    describe(call.name, () => {
      const unauthorized = (remedy: string) =>
        problemBody(401, `Invalid authorization key: ${remedy}`)
      const missing = unauthorized('the request has no X-API-KEY header')
      const bearer = { Authorization: 'Bearer key-of-first' }
      const refused: [string, Sent, object][] = [
        ['without a key', { key: null }, missing],
        [
          'with a wrong key',
          { key: 'cff_wrong' },
          unauthorized(
            'no account has the key in the X-API-KEY header; it may be revoked or cut short',
          ),
        ],
        ['with a blank key', { key: ' ' }, missing],
        [
          'with the key in Authorization',
          { key: null, headers: bearer },
          unauthorized('send the key in the X-API-KEY header'),
        ],
      ]
      for (const [how, change, body] of refused) {
        it(`returns 401 to a request ${how}`, async () => {
          expect(await send(call, change)).to.deep.include({ status: 401, body })
        })
      }

      it('a call is the same below /api, with a slash at its end, and with unknown query parameters', async () => {
        const expected = (await send(call)).status
        for (const path of [
          `/api${call.path}`,
          `${call.path}/`,
          `/api${call.path}/?a=1&b[]=2`,
          `${call.path}?api_key=1&environment_name=x`,
        ]) {
          expect((await send(call, {}, path)).status, path).to.equal(expected)
        }
      })

      it("keeps the client's request id, or gets one", async () => {
        const own = await send(call, { headers: { 'X-Request-Id': 'request-7' } })
        expect(own.headers.get('x-request-id')).to.equal('request-7')
        const other = await send(call, { headers: { 'X-Request-Id': 'two words' } })
        expect(other.headers.get('x-request-id')).not.to.equal('two words')
      })
    })
  }

  for (const call of withBody) {
    describe(`the body of ${call.name}`, () => {
      const wrong: [string, Sent, string][] = [
        ['is absent', { body: '' }, 'body missing'],
        ['is not JSON', { body: '{"a": 1' }, 'body json_invalid'],
        ['is not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 'body json_invalid'],
        ['is an array', { body: [call.body] }, 'body dict_type'],
        ['is a text', { body: '"x"' }, 'body dict_type'],
        ['is null', { body: 'null' }, 'body dict_type'],
      ]
      for (const [how, change, place] of wrong) {
        it(`a body is rejected when it ${how}`, async () => {
          const answer = await send(call, change)
          expect(refusalOf(answer)).to.deep.equal([422, place])
        })
      }
      for (const name of call.required) {
        it(`a body is refused without ${name}`, async () => {
          const { [name]: _, ...body } = call.body ?? {}
          const answer = await send(call, { body })
          expect(refusalOf(answer)).to.deep.equal([422, `body.${name} missing`])
        })
      }
      it('a body is rejected one byte above its limit, and accepted at the limit', async () => {
        const limit = call.maxBody ?? 0
        const text = JSON.stringify(call.body)
        const large = await send(call, { body: text.padEnd(limit + 1) })
        const detail = `Request body larger than ${limit} bytes`
        expect(refusalOf(large).join()).to.contain(`413,${detail}`)
        expect((await send(call, { body: text.padEnd(limit) })).status).not.to.equal(413)
      })
    })
  }

  it('abort-upload ignores any body', async () => {
    const path = `/v1/files/${unknownId}/abort-upload`
    for (const body of ['{', 'x'.repeat(3_000_000)]) {
      expect((await app.call(path, { method: 'POST', body })).status).to.equal(404)
    }
  })

  describe('with an id that is not a UUID', () => {
    for (const call of [getCommand, getFile, deleteFile, bulkDelete]) {
      it(`answers 422 to ${call.name} with an id that is not a UUID`, async () => {
        const path = call.path.replace(unknownId, 'no-uuid')
        const answer = await send(
          call,
          call.body === undefined ? {} : { body: idsOf('no-uuid') },
          path,
        )
        expect(answer.status).to.equal(422)
        expect(placesOf(answer).join()).to.match(/^(path\.\w+|body\.file_ids\.0) uuid_parsing$/)
      })
    }
    for (const call of neverLimited.filter(({ path }) =>
      /(complete|abort)-upload|files$/.test(path),
    )) {
      it(`returns 404 from ${call.name} for an id that is not a UUID`, async () => {
        expect((await send(call, {}, call.path.replace(unknownId, 'no-uuid'))).status).to.equal(404)
      })
    }
  })

  it('finds no unknown id in upper case either', async () => {
    for (const call of thirteen.filter(({ path }) => path.includes(unknownId))) {
      const answer = await send(call, {}, call.path.replace(unknownId, unknownId.toUpperCase()))
      expect(answer.status, call.name).to.equal(404)
    }
    const answer = await send(bulkDelete, { body: idsOf(unknownId.toUpperCase()) })
    expect(answer.body).to.deep.equal(problemBody(404, `Files not found: ${unknownId}`))
  })

  it('each GET has its HEAD', async () => {
    const answers = await Promise.all(reads.map((call) => send(call, { method: 'HEAD' })))
    expect(answers.map(({ status, body }) => [status, body])).to.deep.equal([
      [404, undefined],
      [200, undefined],
      [200, undefined],
      [404, undefined],
    ])
  })

  describe('with an empty bucket', () => {
    for (const call of submissions) {
      it(`returns 429 for ${call.name} with an empty bucket; what was refused before took nothing`, async () => {
        const key = `key-of-${call.name}`
        await app.addAccount(call.name, 'tight', key)
        for (const [change, status] of [
          [{ [call.required[0] ?? '']: 7 }, 422],
          [{ is_private: true }, 403],
          [{}, 200],
          [{}, 429],
          [{ [call.required[0] ?? '']: 7 }, 429],
        ] as const) {
          const answer = await send(call, { key, body: { ...call.body, ...change } })
          expect(answer.status, JSON.stringify(answer.body)).to.equal(status)
          const seconds = answer.headers.get('retry-after')
          if (status === 429) expect(Number(seconds)).to.be.at.least(1)
          else expect(seconds).to.equal(null)
        }
      })
    }
    for (const call of reads) {
      it(`answers 429 to ${call.name} with an empty bucket`, async () => {
        const answer = await send(call, { key: 'key-of-shut' })
        expect(answer.status).to.equal(429)
        expect(field(answer.body, 'detail')).to.match(/^Rate limit exceeded: 0 reads a minute/)
        expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1)
      })
    }
    for (const call of neverLimited) {
      it(`answers ${call.name} without 429 with an empty bucket`, async () => {
        expect((await send(call, { key: 'key-of-shut' })).status).to.equal(404)
      })
    }
  })

  it('hints at the right path without a key', async () => {
    const answer = await checkedCall(app.url, '/v1/files/upload', { method: 'POST' })
    expect(answer.status).to.equal(405)
    const detail = field(answer.body, 'detail')
    expect(detail)
      .to.contain('POST /v1/files/store-file')
      .and.to.contain('POST /v1/files/init-upload')
  })
})

function idsOf(id: string) {
  return { file_ids: [id] }
}
