import { expect } from 'chai'
import { unknownId, useApp } from '../../../testing/support/api/app.ts'
import { field } from '../../checked-call.fixture.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('dead letters', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)
  const claimed = {
    limit: 10,
    liveLimit: 100,
    lookAhead: 100,
    leaseSeconds: 30,
    retries: true,
  }

  const letters = async (kind: string) =>
    [await json('dead-letters', 'list', '--kind', kind)].flat()
  const refuseDispatch = async () => {
    const commandId = await app.submit()
    await app.store.claimUndispatched(claimed)
    await app.store.recordDispatchFailure({
      commandId,
      tries: 0,
      definite: true,
      error: '422 Invalid: too long',
      retrySeconds: 900,
    })
    return commandId
  }
  const failSweep = async () => {
    const { body } = await app.post('/v1/files/store-file', {
      file_url: 'https://media.example/a.mp4',
    })
    const fileId = String(field(body, 'file_id'))
    await app.store.deleteFiles({
      accountId: app.account.accountId,
      fileIds: [fileId],
      withoutManifests: false,
    })
    await app.store.postponeFileSweeps([fileId])
    return fileId
  }
  const failDelivery = async () => {
    await fail(app, await app.submit({ webhook_url: 'https://hooks.example/done' }))
    const [delivery] = await app.store.claimDeliveries({
      limit: 1,
      perAccount: 10,
      perReceiver: 10,
      underWay: [],
      leaseSeconds: 30,
    })
    if (delivery === undefined) return expect.fail('no delivery was due')
    const { deliveryId, lease } = delivery
    await app.store.recordDelivery({
      deliveryId,
      lease,
      status: 'FAILED',
      nextAttemptInSeconds: null,
      requestHeaders: null,
      attempt: { at: '2026-11-27T12:00:00Z', response_status: 410, error: null },
      sent: true,
    })
    return deliveryId
  }

  it('a dead letter is a command that the cluster refuses, which is tried again or ended', async () => {
    const id = await refuseDispatch()
    const [letter] = await letters('dispatch')
    expect(letter).to.deep.include({
      kind: 'dispatch',
      id,
      account: app.account.name,
      tries: 1,
      problem: '422 Invalid: too long',
      target: `command ${id}`,
    })
    expect(await app.store.claimUndispatched(claimed)).to.deep.equal([])
    await json('dead-letters', 'retry', id)
    expect(await app.store.claimUndispatched(claimed)).to.have.length(1)
    await json('dead-letters', 'drop', id)
    expect(await app.record(`/v1/commands/${id}`)).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
      cancelled_by: 'administrator',
    })
    expect(await letters('dispatch')).to.deep.equal([])
  })

  it('a dead letter is an object that cannot be deleted, which is tried again or left', async () => {
    const id = await failSweep()
    const [letter] = await letters('sweep')
    expect(letter).to.deep.include({ kind: 'sweep', id, tries: 1, problem: null })
    await json('dead-letters', 'retry', id)
    const [{ due } = { due: false }] = await app.query<{ due: boolean }>(
      'due',
      'select sweep_retry_at <= now() as due from files where file_id = $1',
      [id],
    )
    expect(due).to.equal(true)
    const dropped = await admin('dead-letters', 'drop', id)
    expect(dropped.output).to.match(/^The sweep of .* stays in the bucket\.$/)
    expect(await letters('sweep')).to.deep.equal([])
  })

  it('a dead letter is a webhook whose attempts have failed, which is sent again or forgotten', async () => {
    const id = await failDelivery()
    const [letter] = await letters('delivery')
    expect(letter).to.deep.include({
      id,
      retry_at: null,
      problem: 'the receiver answered 410',
      target: 'https://hooks.example/done',
    })
    await json('dead-letters', 'retry', id)
    expect(await letters('delivery')).to.deep.equal([])
    const [again] = await app.store.claimDeliveries({
      limit: 1,
      perAccount: 10,
      perReceiver: 10,
      underWay: [],
      leaseSeconds: 30,
    })
    expect(again).to.deep.include({ deliveryId: id, resent: true })
    const other = await failDelivery()
    await json('dead-letters', 'drop', other)
    expect(await app.store.findDelivery(app.account.accountId, other)).to.equal(null)
  })

  it('dead letters are listed together, by account, and shown one by one', async () => {
    const id = await refuseDispatch()
    await failSweep()
    await app.addAccount('clean', 'pro', 'clean-key')
    expect((await admin('dead-letters', 'list')).output).to.match(
      /^KIND +ID [^]*^dispatch +\S+ +\S+ +\S+Z \([^)]+\) +1 +\S+Z \([^)]+\) +422 Invalid: too long$[^]*^sweep /m,
    )
    expect((await admin('dead-letters', 'list', '--account', 'clean')).output).to.equal(
      'There are no dead letters.',
    )
    expect((await admin('dead-letters', 'show', id)).output).to.match(/^problem +422 Invalid/m)
    for (const command of ['show', 'retry', 'drop']) {
      const { code, errors } = await admin('dead-letters', command, unknownId)
      expect(errors).to.match(/dead letter '.*' does not exist: 'dead-letters list' shows the ids/)
      expect(code).to.equal(1)
    }
    const wrong = await admin('dead-letters', 'list', '--kind', 'letter')
    expect(wrong.errors).to.match(/--kind must be one of dispatch, sweep, delivery; got 'letter'/)
  })
})
