import { expect } from 'chai'
import fc from 'fast-check'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { newId } from '../../../testing/store-contract/fixtures.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { Store } from '../../store/store.ts'
import type { ClaimedDelivery } from '../../store/webhooks.ts'

const request = { limit: 64, perAccount: 32, perReceiver: 8, underWay: [], leaseSeconds: 40 }

describe('receivers of webhooks in the database', () => {
  let opened: TestDatabase
  let store: Store
  let accountId: string
  beforeEach(async () => {
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
    const account = { accountId: newId(), name: 'first', plan: 'pro' }
    ;({ accountId } = await store.ensureAccount(account))
  })
  afterEach(() => opened.close())

  const run = (sql: string, ...values: unknown[]) =>
    opened.database.query<Record<string, unknown>>(`test_${sql.length}`, sql, values)
  const add = (host: string) =>
    run(
      `insert into webhook_deliveries (account_id, event, command_id, url)
       values ($1, 'command.finished', gen_random_uuid(), $2)`,
      accountId,
      `https://${host}/`,
    )
  const claim = () => store.claimDeliveries(request)
  const end = (delivery: ClaimedDelivery | undefined, ok: boolean) => {
    if (delivery === undefined) throw new Error('not claimed')
    const attempt = { at: '2026-05-19T18:15:45.401000Z', response_status: 200, error: null }
    return store.recordDelivery({
      ...delivery,
      attempt,
      sent: true,
      requestHeaders: null,
      ...(ok
        ? { status: 'DELIVERED', nextAttemptInSeconds: null }
        : { status: 'PENDING', nextAttemptInSeconds: 5 }),
    })
  }
  const lose = () =>
    run(`update webhook_receivers set next_due = 'infinity', idle_since = now(), empty_looks = 4`)

  it('receivers are scheduled again each minute when a race has lost them', async () => {
    for (const host of ['idle', 'missing', 'scheduled']) await add(host)
    await lose()
    await run(`delete from webhook_receivers where receiver = 'https://missing'`)
    await add('scheduled')
    expect((await claim()).map(({ receiver }) => receiver)).to.have.members([
      'https://scheduled',
      'https://scheduled',
    ])
    expect(await store.rearmReceivers()).to.equal(2)
    expect(await store.rearmReceivers()).to.equal(0)
    expect(await claim()).to.have.length(2)
  })

  it('receivers are not scheduled again when their deliveries are leased, not due yet, or backed off', async () => {
    for (const host of ['off', 'off', 'off', 'off', 'off', 'off', 'leased', 'later'])
      await add(host)
    for (const one of await claim()) {
      if (one.receiver !== 'https://leased') await end(one, false)
    }
    await add('off')
    expect(await claim()).to.deep.equal([])
    const [off] = await run(
      `select failures, not_before > now() as waits from webhook_receivers where receiver like '%off'`,
    )
    expect(off).to.deep.equal({ failures: 6, waits: true })
    expect(await store.rearmReceivers()).to.equal(0)
  })

  it('receivers are forgotten a day after their last delivery, and come back with the next one', async () => {
    await add('once')
    await end((await claim())[0], true)
    for (let look = 0; look < 6; look += 1) {
      await ageDatabase(opened.database, 60)
      await claim()
    }
    const [row] = await run('select next_due::text, idle_since from webhook_receivers')
    expect(row).to.include({ next_due: 'infinity' })
    await ageDatabase(opened.database, 86_000)
    await store.rearmReceivers()
    expect(await run('select from webhook_receivers')).to.have.length(1)
    await ageDatabase(opened.database, 600)
    await store.rearmReceivers()
    expect(await run('select from webhook_receivers')).to.deep.equal([])
    await add('once')
    expect(await claim()).to.have.length(1)
  })

  it('receivers do not make transactions wait for each other while deliveries come one by one', async () => {
    await add('busy')
    await end((await claim())[0], true)
    await opened.database.transaction(async (query) => {
      await query(
        'lower',
        `insert into webhook_deliveries (account_id, event, command_id, url)
         values ($1, 'command.finished', gen_random_uuid(), 'https://busy/')`,
        [accountId],
      )
      await query('fire', 'set constraints all immediate')
      const [locked] = await query<{ locked: boolean }>(
        'locked',
        `select next_due <= now() as locked from webhook_receivers`,
      )
      expect(locked).to.deep.equal({ locked: true })
      // The statement would wait for the end of this transaction, and the test for its timeout.
      await add('busy')
      expect(await claim()).to.deep.equal([])
    })
    expect(await claim()).to.have.length(2)
  })

  it('receivers are found by a later look when a delivery is committed during a look', async () => {
    await add('late')
    await end((await claim())[0], true)
    await opened.database.transaction(async (query) => {
      await query(
        'late',
        `insert into webhook_deliveries (account_id, event, command_id, url, next_attempt_at)
         values ($1, 'command.finished', gen_random_uuid(), 'https://late/', now() + interval '1 second')`,
        [accountId],
      )
      await query('fire', 'set constraints all immediate')
      await opened.database.query(
        'look_now',
        `update webhook_receivers set next_due = now() where account_id = $1`,
        [accountId],
      )
      expect(await claim()).to.deep.equal([])
      expect(await run('select empty_looks from webhook_receivers')).to.eql([{ empty_looks: 1 }])
    })
    await ageDatabase(opened.database, 3)
    expect(await claim()).to.have.length(1)
  })

  it('receivers let each delivery be sent once, whichever claims crash', async () => {
    const step = fc.constantFrom('add', 'add', 'claim', 'claim', 'wait', 'crash')
    const property = fc.asyncProperty(
      fc.array(fc.tuple(step, fc.boolean(), fc.nat(2)), { minLength: 10, maxLength: 40 }),
      async (steps) => {
        await run('truncate webhook_deliveries, webhook_receivers')
        let added = 0
        let delivered = 0
        for (const [name, ok, host] of steps) {
          if (name === 'wait') await ageDatabase(opened.database, 6)
          if (name === 'add') {
            await add(`host-${host}`)
            added += 1
          }
          if (name === 'crash') await claim()
          if (name === 'claim') {
            for (const one of await claim()) if ((await end(one, ok)) && ok) delivered += 1
          }
        }
        // Leases and backoffs end, and nothing needs to be armed again.
        for (let left = 8; left > 0 && delivered < added; left -= 1) {
          await ageDatabase(opened.database, 301)
          for (let more = await claim(); more.length > 0; more = await claim()) {
            for (const one of more) if (await end(one, true)) delivered += 1
          }
        }
        expect(delivered).to.equal(added)
        expect(await store.rearmReceivers()).to.equal(0)
      },
    )
    await fc.assert(property, { numRuns: 25 })
  })
})
