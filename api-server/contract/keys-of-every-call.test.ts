import { expect } from 'chai'
import { unknownId, useApp } from '../../testing/support/api/app.ts'
import { field } from '../checked-call.fixture.ts'
import { documented, operation } from '../http/openapi.ts'
import type { OperationId } from '../http/openapi.ts'

/** Answers of each call to a key that may not make it: a new call is in the walk by being documented. */
describe('every call that needs a key', () => {
  const app = useApp()
  const keyed = documented
    .filter(({ description }) => description['security'] === undefined)
    .map(({ description }) => operation(description['operationId'] as OperationId))

  const suspended = 'key-of-suspended'
  const readOnly = 'key-of-reader'
  const revoked = 'key-of-revoked'
  before(async () => {
    await app.addAccount('suspended', 'pro', suspended)
    await app.suspend('suspended')
    await app.addAccount('reader', 'pro', readOnly)
    await keysOf('reader', 'read_only')
    await app.addAccount('revoked', 'pro', revoked)
    await keysOf('revoked', 'disabled')
  })

  async function keysOf(account: string, flag: 'read_only' | 'disabled'): Promise<void> {
    const where = 'account_id = (select account_id from accounts where name = $1)'
    await app.query(`set_${flag}`, `update api_keys set ${flag} = true where ${where}`, [account])
  }
  const pathOf = (path: string, id: string) => path.replaceAll(/\{\w+\}/g, id)
  async function detailOf({ method, path }: (typeof keyed)[number], key: string | null) {
    const answer = await app.call(pathOf(path, unknownId), { method: method.toUpperCase(), key })
    return [answer.status, String(field(answer.body, 'detail'))] as const
  }

  for (const call of keyed) {
    // An endless stream has no body to compare.
    if (call.operationId === 'getEvents') continue
    const { operationId, method, whileSuspended } = call

    it(`${operationId} answers 401 without a key, to an unknown and to a revoked one`, async () => {
      for (const key of [null, 'key-of-no-account', revoked]) {
        const [status, detail] = await detailOf(call, key)
        expect([status, detail.split(':', 1)[0]]).to.deep.equal([401, 'Invalid authorization key'])
      }
    })

    it(`${operationId} is ${whileSuspended ? 'open' : 'closed'} to a suspended account`, async () => {
      const [, detail] = await detailOf(call, suspended)
      expect(detail.startsWith('The account is suspended')).to.equal(!whileSuspended)
    })

    const isRead = method === 'get' || operationId === 'validateFfmpegCommand'
    it(`${operationId} is ${isRead ? 'open' : 'closed'} to a read-only key`, async () => {
      const [, detail] = await detailOf(call, readOnly)
      const isRefused = detail.startsWith('This key is read-only')
      // The secret of the webhook would let its holder sign events.
      expect(isRefused).to.equal(!isRead || operationId === 'getWebhook')
    })
  }

  it('lets a suspended account begin nothing: what it may call reads, ends or deletes', () => {
    const open = keyed.filter(({ whileSuspended, method }) => whileSuspended && method !== 'get')
    expect(open.map(({ operationId }) => operationId)).to.have.members([
      'abortUpload',
      'bulkDeleteFiles',
      'cancelCommand',
      'completeUpload',
      'deleteAccount',
      'deleteCommandFiles',
      'deleteFile',
      'deleteWebhook',
      'revokeKey',
      'validateFfmpegCommand',
    ])
  })

  it('says of a foreign command what it says of an unknown one', async () => {
    const foreign = await app.submit()
    await app.addAccount('other', 'pro', 'key-of-other')
    for (const { method, path, operationId } of keyed) {
      if (!path.includes('{command_id}')) continue
      const options = { method: method.toUpperCase(), key: 'key-of-other' }
      const [one, other] = await Promise.all(
        [foreign, unknownId].map((id) => app.call(pathOf(path, id), options)),
      )
      const withoutId = (body: unknown, id: string) => JSON.stringify(body).replaceAll(id, 'ID')
      expect(withoutId(one?.body, foreign), operationId).to.equal(withoutId(other?.body, unknownId))
      expect(one?.status, operationId).to.equal(other?.status)
      expect(one?.status, operationId).to.equal(404)
    }
  })
})
