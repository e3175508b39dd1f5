import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { openMovingDatabase, useStore } from '../../../testing/support/database.ts'
import { rowsReadBy } from '../../../testing/support/rows/rows-read.ts'
import { deliveries } from './deliveries.ts'

const claim = { limit: 64, perAccount: 32, perReceiver: 8, underWay: [], leaseSeconds: 40 }
const manyHosts = scaled({ smoke: 60_000, full: 100_000 })

describe('a claim of deliveries', () => {
  const store = useStore(openMovingDatabase)

  /** Hosts with a delivery each that is to be retried in some hours, in turns over the accounts. */
  async function fill({ accounts, hosts }: { accounts: number; hosts: number }): Promise<void> {
    await store.fill('truncate accounts cascade')
    await store.fill(
      `insert into accounts (account_id, name, plan)
       select gen_random_uuid(), 'a' || n, 'pro' from generate_series(1, ${accounts}) n`,
    )
    // A table of one page is read as a whole for each delivery, one of many accounts by its index.
    await store.fill(
      `insert into accounts (account_id, name, plan)
       select gen_random_uuid(), 'idle' || n, 'pro' from generate_series(1, 5000) n`,
    )
    await addDeliveries(hosts, 'waiting', `now() + interval '3 hours'`)
  }

  /** @param end of the URL: by default each has a host of its own */
  async function addDeliveries(count: number, name: string, at: string, end = ''): Promise<void> {
    await store.fill(
      `insert into webhook_deliveries (account_id, event, command_id, url, next_attempt_at)
       select ids[i % cardinality(ids) + 1], 'command.finished', gen_random_uuid(),
         'https://${name}${end}-' || i, ${at}
       from (select array_agg(account_id order by name) as ids from accounts where name like 'a%') a,
         generate_series(1, ${count}) i`,
    )
    await store.fill('vacuum analyze')
  }

  /** @param byIndex Postgres reads a table of a few pages as a whole; a larger one by its index. */
  const read = (byIndex = false) =>
    store.database.transaction(async (query) => {
      await query('by_index', `set local enable_seqscan = ${byIndex ? 'off' : 'on'}`)
      return rowsReadBy({ ...store.database, query }, (explaining) =>
        deliveries(explaining).claimDeliveries(claim),
      )
    })

  for (const hosts of [1, 100, manyHosts]) {
    it(`reads rows in proportion to the due deliveries when ${hosts} hosts have none`, async () => {
      await fill({ accounts: 20, hosts })
      for (const due of [1, 20, 60]) {
        await addDeliveries(due, `due${due}`, 'now()')
        const rows = await read(hosts < 1_000)
        await store.query('done', `delete from webhook_deliveries where url like '%/due%'`)
        await store.query('done', `delete from webhook_receivers where receiver like '%/due%'`)
        expect(rows).to.be.within(due, 20 * due + 60)
      }
    })
  }

  it('reads one row of each account that has work, and none of the idle ones', async () => {
    await fill({ accounts: 5_000, hosts: 20_000 })
    expect(await read()).to.be.within(5_000, 5_200)
    await store.query(
      'idle',
      `update webhook_receivers set next_due = 'infinity', idle_since = now(), empty_looks = 4`,
    )
    await addDeliveries(3, 'due', 'now()')
    expect(await read()).to.be.below(200)
  })

  it('reads rows by its share of a backlog, not the backlog', async () => {
    await fill({ accounts: 1, hosts: 0 })
    const backlog = scaled({ smoke: 20_000, full: 100_000 })
    await addDeliveries(backlog, 'one', 'now()', '/')
    expect(await read()).to.be.below(150)
  })
})
