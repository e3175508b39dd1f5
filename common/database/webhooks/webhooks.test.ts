import { expect } from 'chai'
import { commitOf, failed, newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryClaim } from '../../store/webhooks.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const url = 'https://app.example/hook?key=1'

describe('webhook deliveries in the database', () => {
  let opened: TestDatabase
  let store: Store
  let accountId: string
  beforeEach(async () => {
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
    accountId = await account('first')
  })
  afterEach(() => opened.close())

  const account = async (name: string) =>
    (await store.ensureAccount({ accountId: newId(), name, plan: 'pro' })).accountId
  const set = (events: readonly ('command.finished' | 'file.stored' | 'file.failed')[]) =>
    store.setWebhook({ accountId, url, events, rotateSecret: false, movePending: false })
  const list = (of = accountId) =>
    store.listDeliveries({
      accountId: of,
      status: null,
      event: null,
      commandId: null,
      limit: 1_000,
      offset: 0,
    })
  const events = async () => (await list()).map(({ event }) => event)

  async function command(webhookUrl: string | null = null, of = accountId): Promise<string> {
    const commandId = newId()
    await store.insertCommands([{ ...newCommand(of), commandId, webhookUrl }])
    return commandId
  }

  const end = (commandId: string) =>
    store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))

  async function ended(webhookUrl: string | null = null, of = accountId): Promise<string> {
    const commandId = await command(webhookUrl, of)
    expect((await end(commandId)).kind).to.equal('committed')
    return commandId
  }

  async function file(status: string, webhookUrl: string | null = null): Promise<string> {
    const fileId = newId()
    await opened.database.query(
      'file',
      `insert into files (file_id, account_id, is_private, store_type, status, original_file_url,
         webhook_url, key, size_bytes)
       values ($1, $2, false, 'STORED_FILE', $3, 'a.mp4', $4, $1::uuid::text, 1)`,
      [fileId, accountId, status, webhookUrl],
    )
    return fileId
  }

  const becomes = (fileId: string, status: string, error: string | null = null) =>
    opened.database.query(
      'becomes',
      `update files set status = $2, error_status = $3, error_message = $3 where file_id = $1`,
      [fileId, status, error],
    )

  const claim = (change: Partial<DeliveryClaim> = {}) =>
    store.claimDeliveries({
      limit: 64,
      perAccount: 32,
      perReceiver: 8,
      underWay: [],
      leaseSeconds: 40,
      ...change,
    })

  describe('when they are inserted', () => {
    it('inserts a delivery once, with the end of a command', async () => {
      await set(['command.finished'])
      const commandId = await command()
      expect(await list()).to.deep.equal([])
      await end(commandId)
      await end(commandId)
      const record = await store.findCommand(accountId, commandId)
      const [delivery, ...more] = await list()
      expect(more).to.deep.equal([])
      expect(delivery).to.deep.include({
        event: 'command.finished',
        commandId,
        fileId: null,
        url,
        status: 'PENDING',
        attempts: [],
        createdAt: record?.finishedAt,
      })
      expect(delivery?.deliveryId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    })

    it('deliveries include a refused import, which has ended from the start', async () => {
      await set(['command.finished'])
      const commandId = await ended()
      const row = await store.findCommand(accountId, commandId)
      if (row === null) throw new Error('no row')
      const imported = { ...row, originalRequest: {}, commandId: newId(), resourceUid: 'uid' }
      await store.importRefused({ ...imported, errorMessage: 'no' })
      expect(await events()).to.deep.equal(['command.finished', 'command.finished'])
    })

    it('deliveries do not exist without an address, nor for events that are not subscribed', async () => {
      await ended()
      await set(['file.stored'])
      await ended()
      await store.unsetWebhook(accountId)
      await becomes(await file('QUEUED'), 'STORED')
      expect(await events()).to.deep.equal([])
    })

    it("deliveries go to the request's own address in place of the account's, for all events", async () => {
      await set(['file.stored'])
      await ended('https://own.example/1')
      await becomes(await file('DOWNLOADED', 'https://own.example/2'), 'STORED')
      await becomes(await file('DOWNLOADING', 'https://own.example/3'), 'FAILED', 'STORAGE_ERROR')
      expect((await list()).map((one) => `${one.event} ${one.url}`)).to.deep.equal([
        'file.failed https://own.example/3',
        'file.stored https://own.example/2',
        'command.finished https://own.example/1',
      ])
    })

    it('deliveries exist for files that were stored or failed, not for aborted, deleted or other ones', async () => {
      await set(['file.stored', 'file.failed'])
      await becomes(await file('UPLOADED'), 'STORED')
      await becomes(await file('QUEUED'), 'FAILED', 'UPLOAD_EXPIRED')
      await becomes(await file('QUEUED'), 'DOWNLOADING')
      await becomes(await file('QUEUED'), 'FAILED', 'CANCELLED')
      const deleted = await file('QUEUED')
      await store.deleteFiles({ accountId, fileIds: [deleted], withoutManifests: false })
      const stored = await file('STORED')
      await store.deleteFiles({ accountId, fileIds: [stored], withoutManifests: false })
      expect(await events()).to.deep.equal(['file.failed', 'file.stored'])
    })

    it('deliveries of work on a file have the event of the file alone, also when it is cancelled by kubectl', async () => {
      await set(['command.finished', 'file.stored', 'file.failed'])
      const fileId = newId()
      const stored = { fileId, accountId, environmentName: null, isPrivate: false }
      await store.insertStoredFile({ ...stored, originalFileUrl: url, webhookUrl: null })
      expect((await end(fileId)).kind).to.equal('committed')
      expect((await list()).map((one) => [one.event, one.fileId, one.commandId])).to.deep.equal([
        ['file.failed', fileId, null],
      ])
    })
  })

  describe('when they are claimed', () => {
    it('deliveries are claimed by one of several concurrent claims', async () => {
      for (let index = 0; index < 5; index++) await ended(`https://${index}.example/`)
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 2 })))
      const ids = claims.flat().map(({ deliveryId }) => deliveryId)
      expect(new Set(ids).size).to.equal(ids.length)
      const rest = (await claim()).map(({ deliveryId }) => deliveryId)
      expect(new Set([...ids, ...rest]).size).to.equal(5)
      expect(await claim()).to.deep.equal([])
    })

    it('deliveries are claimed again when the lease ends, after which the first holder cannot change them', async () => {
      await ended(url)
      const [first] = await claim()
      await ageDatabase(opened.database, 41)
      const [second] = await claim()
      if (first === undefined || second === undefined) throw new Error('not claimed')
      expect(second.deliveryId).to.equal(first.deliveryId)
      const delivered = {
        attempt: { at: '2026-05-19T18:15:45.401000Z', response_status: 200, error: null },
        status: 'DELIVERED' as const,
        nextAttemptInSeconds: null,
        sent: true,
        requestHeaders: null,
      }
      expect(await store.keepDeliveryBody({ ...first, body: 'late' })).to.equal(null)
      expect(await store.recordDelivery({ ...first, ...delivered })).to.equal(false)
      expect(await store.keepDeliveryBody({ ...second, body: 'first' })).to.equal('first')
      expect(await store.keepDeliveryBody({ ...second, body: 'other' })).to.equal('first')
      expect(await store.recordDelivery({ ...second, ...delivered })).to.equal(true)
      expect(await store.recordDelivery({ ...second, ...delivered })).to.equal(false)
      const [delivery] = await list()
      expect(delivery).to.deep.include({ status: 'DELIVERED', nextAttemptAt: null })
      expect(delivery?.attempts).to.deep.equal([delivered.attempt])
    })

    it('makes deliveries due at once after a release', async () => {
      await ended(url)
      const [first] = await claim()
      if (first === undefined) throw new Error('not claimed')
      await store.releaseDelivery(first)
      expect((await claim()).length).to.equal(1)
    })

    it('deliveries are claimed with shares of receivers and accounts, attempts in flight included', async () => {
      const other = await account('other')
      for (let index = 0; index < 4; index++) {
        await ended(`https://slow.example/${index}`)
        await ended(`https://SLOW.example:8443/${index}`)
      }
      await ended('https://slow.example/', other)
      const count = async (change: Partial<DeliveryClaim>) => {
        const claimed = await claim(change)
        for (const one of claimed) await store.releaseDelivery(one)
        return claimed.map((one) => (one.accountId === other ? 'other' : one.receiver)).toSorted()
      }
      const plain = 'https://slow.example'
      const ported = 'https://slow.example:8443'
      expect(await count({ perReceiver: 2 })).to.deep.equal([plain, plain, ported, ported, 'other'])
      expect(await count({ perAccount: 3 })).to.have.length(4)
      const underWay = [
        { accountId, receiver: plain },
        { accountId, receiver: plain },
      ]
      expect(await count({ perReceiver: 2, underWay })).to.deep.equal([ported, ported, 'other'])
      expect(await count({ perAccount: 2, underWay })).to.deep.equal(['other'])
    })

    it('deliveries are claimed when they are due, with the secrets that sign then', async () => {
      await ended(url)
      const [first] = await claim()
      if (first === undefined) throw new Error('not claimed')
      const attempt = { at: '2026-05-19T18:15:45.401000Z', response_status: 500, error: null }
      await store.recordDelivery({
        ...first,
        attempt,
        status: 'PENDING',
        nextAttemptInSeconds: 300,
        sent: true,
        requestHeaders: null,
      })
      const { secrets: one } = await store.findWebhook(accountId)
      await store.setWebhook({
        accountId,
        url,
        events: ['file.stored'],
        rotateSecret: true,
        movePending: false,
      })
      const { secrets: both } = await store.findWebhook(accountId)
      expect(both.slice(1)).to.deep.equal(one)
      await ageDatabase(opened.database, 295)
      expect(await claim()).to.deep.equal([])
      await ageDatabase(opened.database, 5)
      const [second] = await claim()
      expect(second).to.deep.include({ failedAttempts: 1, secrets: both, plan: 'pro' })
      await ageDatabase(opened.database, 86_400)
      expect((await store.findWebhook(accountId)).secrets).to.deep.equal(both.slice(0, 1))
    })
  })

  it('counts deliveries, and removes them after their time', async () => {
    const none = { pending: 0, oldestPendingSeconds: 0, overdueSeconds: 0 }
    expect(await store.deliveryGauges()).to.deep.equal(none)
    for (let index = 0; index < 3; index++) await ended(url)
    await ageDatabase(opened.database, 30 * 86_400 + 1)
    await ended(url)
    const gauges = await store.deliveryGauges()
    expect(gauges.pending).to.equal(4)
    expect(gauges.oldestPendingSeconds).to.be.greaterThan(2_592_000)
    expect(gauges.overdueSeconds).to.be.greaterThan(2_592_000)
    expect(await list()).to.have.length(1)
    expect(await store.expireDeliveries({ days: 30, limit: 2 })).to.equal(2)
    expect(await store.expireDeliveries({ days: 30, limit: 2 })).to.equal(1)
    expect((await store.deliveryGauges()).pending).to.equal(1)
  })

  it('webhooks have a secret of their own for each account, also for those from before', async () => {
    const { secrets } = await store.findWebhook(accountId)
    const { secrets: others } = await store.findWebhook(await account('other'))
    for (const secret of [...secrets, ...others]) {
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    }
    expect(secrets).to.have.length(1)
    expect(secrets).not.to.deep.equal(others)
  })
})
