import { expect } from 'chai'
import { commitOf, failed, newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { Store } from '../../store/store.ts'

const former = 'https://former.example/hook'
const next = 'https://next.example/hook'

describe('pending deliveries to a former webhook URL', () => {
  let opened: TestDatabase
  let store: Store
  let accountId: string
  beforeEach(async () => {
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
    accountId = (await store.ensureAccount({ accountId: newId(), name: 'a', plan: 'pro' }))
      .accountId
    await set(former)
  })
  afterEach(() => opened.close())

  const set = (url: string, movePending = false) =>
    store.setWebhook({
      accountId,
      url,
      events: ['command.finished'],
      rotateSecret: false,
      movePending,
    })
  async function ended(webhookUrl: string | null = null): Promise<void> {
    const commandId = newId()
    await store.insertCommands([{ ...newCommand(accountId), commandId, webhookUrl }])
    await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
  }
  const everything = { status: null, event: null, commandId: null, limit: 100, offset: 0 }
  const list = () => store.listDeliveries({ accountId, ...everything })
  const shown = async () =>
    (await list()).map((one) => [one.url, one.status, one.attempts.at(-1)?.error ?? null])
  const claim = () =>
    store.claimDeliveries({
      limit: 64,
      perAccount: 32,
      perReceiver: 8,
      underWay: [],
      leaseSeconds: 40,
    })

  it("deliveries end with the reason when the URL is removed, those to a command's own URL do not", async () => {
    await ended()
    await ended('https://own.example/')
    await store.unsetWebhook(accountId)
    expect(await shown()).to.deep.equal([
      ['https://own.example/', 'PENDING', null],
      [former, 'FAILED', 'Not sent: the webhook URL was removed'],
    ])
    const [, delivery] = await list()
    expect(delivery?.nextAttemptAt).to.equal(null)
    expect(Date.parse(delivery?.attempts[0]?.at ?? '')).to.be.greaterThan(0)
    expect((await claim()).map(({ url }) => url)).to.deep.equal(['https://own.example/'])
  })

  it('deliveries end with the reason when the URL changes, and stay when the events alone do', async () => {
    await ended()
    await set(former)
    expect(await shown()).to.deep.equal([[former, 'PENDING', null]])
    await set(next)
    expect(await shown()).to.deep.equal([
      [former, 'FAILED', 'Not sent: the webhook URL was changed'],
    ])
  })

  it('deliveries go to the new URL when the caller wants them moved', async () => {
    await ended()
    await set(next, true)
    expect(await shown()).to.deep.equal([[next, 'PENDING', null]])
    expect((await claim()).map(({ url, receiver }) => [url, receiver])).to.deep.equal([
      [next, 'https://next.example'],
    ])
  })

  it('deliveries stay ended when an attempt that was in flight fails', async () => {
    await ended()
    const [inFlight] = await claim()
    if (inFlight === undefined) throw new Error('not claimed')
    await store.unsetWebhook(accountId)
    const recorded = await store.recordDelivery({
      ...inFlight,
      attempt: { at: '2026-05-19T18:15:45.401000Z', response_status: 500, error: null },
      status: 'PENDING',
      nextAttemptInSeconds: 5,
      sent: true,
      requestHeaders: null,
    })
    expect(recorded).to.equal(false)
    expect((await shown())[0]?.[1]).to.equal('FAILED')
  })

  it('deliveries are not dead letters when their owner ended them', async () => {
    await ended()
    await store.unsetWebhook(accountId)
    const letters = { kind: 'delivery' as const, accountId, limit: 10 }
    expect(await store.listDeadLetters(letters)).to.deep.equal([])
  })

  it('deliveries are sent once more when the owner redelivers them after the end', async () => {
    await ended()
    await store.unsetWebhook(accountId)
    const [{ deliveryId } = { deliveryId: '' }] = await list()
    const again = await store.claimDelivery({ accountId, deliveryId, leaseSeconds: 40 })
    expect(again.kind === 'claimed' && again.delivery.resent).to.equal(true)
  })
})
