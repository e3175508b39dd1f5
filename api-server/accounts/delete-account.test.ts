import { expect } from 'chai'
import { startTestApp, useApp } from '../../testing/support/api/app.ts'
import { refusalOf } from '../checked-call.fixture.ts'

describe('DELETE /v1/account', () => {
  const app = useApp()
  const remove = (body: unknown, key = app.key) =>
    app.call('/v1/account', { method: 'DELETE', body, key })

  it('deleting an account is refused without its name, and changes nothing', async () => {
    expect(refusalOf(await remove({}))).to.deep.equal([422, 'body.confirm missing'])
    expect(refusalOf(await remove({ confirm: 'other' }))).to.deep.equal([
      422,
      'body.confirm value_error',
    ])
    expect((await app.call('/v1/commands')).status).to.equal(200)
  })

  it('DELETE /v1/account begins the deletion, after which no key of the account is valid, and repeats without an effect', async () => {
    const { accountId, name } = await app.addAccount('leaving', 'pro', 'key-of-leaving')
    expect(await remove({ confirm: name }, 'key-of-leaving')).to.deep.include({
      status: 202,
      body: { account_id: accountId, status: 'DELETING' },
    })
    const replica = await startTestApp({}, app)
    const answer = await replica.call('/v1/commands', { key: 'key-of-leaving' })
    await replica.close()
    expect(answer.status).to.equal(401)
    expect((await app.store.findAccountDeletions(10)).map((each) => each.accountId)).to.deep.equal([
      accountId,
    ])
    expect((await app.call('/v1/commands')).status).to.equal(200)
  })

  it('the endpoint does not exist where accounts may not delete themselves', async () => {
    const replica = await startTestApp({ selfDeletion: false }, app)
    const answer = await replica.call('/v1/account', {
      method: 'DELETE',
      body: { confirm: app.account.name },
    })
    await replica.close()
    expect(answer.status).to.equal(404)
  })
})
