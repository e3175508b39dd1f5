import { expect } from 'chai'
import { Registry } from 'prom-client'
import { describeStore } from '../../../testing/store-contract/describe-store.ts'
import { contractStore, openTestDatabase } from '../../../testing/support/database.ts'
import { rejectionOf, useResource } from '../../../testing/support/mocha.ts'
import { patienceMs } from '../../../testing/support/until.ts'
import { startPooler } from '../../../testing/databases/pooler.ts'
import { DatabaseUnavailable } from '../../store/health.ts'
import { systemClock } from '../../runtime/system-effects.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { roleTimeouts } from './role-timeouts.ts'
import { createPool } from './pool.ts'
import { createPoolMetrics } from './pool-metrics.ts'
import type { Database } from './query.ts'

describeStore('Postgres behind PgBouncer', async () => {
  const opened = await openTestDatabase()
  const database = pooled(await startPooler(opened.connectionString))
  return {
    ...contractStore(database, opened.database),
    async close() {
      await database.close()
      await opened.close()
    },
  }
})

describe('a pool behind PgBouncer', () => {
  const opened = useResource(async () => {
    const direct = await openTestDatabase()
    return { ...direct, pooled: await startPooler(direct.connectionString) }
  })

  it('a pool cannot connect without the setting: the pooler refuses the timeouts as parameters', async () => {
    const database = pooled(opened.pooled, { isPooled: false })
    const error = await rejectionOf(database.query('one', 'select 1'))
    expect((error as Error).cause).to.match(/unsupported startup parameter/)
    await database.close()
  })

  it('ends a statement of a transaction that takes too long', async () => {
    const database = pooled(opened.pooled, { statementTimeoutMs: 50 })
    const slow = database.transaction((query) => query('slow', 'select pg_sleep(30)'))
    expect(await rejectionOf(slow)).to.be.instanceOf(DatabaseUnavailable)
    const [row] = await database.query<{ timeout: string }>(
      'timeout',
      `select current_setting('statement_timeout') as timeout`,
    )
    expect(row?.timeout, 'of the next client of that connection').to.equal('0')
    await database.close()
  })

  it('names the remedy when the role has no statement timeout, and nothing when it has one', async () => {
    const database = pooled(opened.pooled)
    const warnings: unknown[] = []
    const logger = { ...silentLogger, warn: (_text: string, more: unknown) => warnings.push(more) }
    const part = roleTimeouts({ query: database.query, isPooled: true, logger })
    await part.start()
    expect(warnings).to.deep.equal([
      { remedy: `ALTER ROLE "postgres" SET statement_timeout = '10s'` },
    ])
    const { pathname } = new URL(opened.connectionString)
    await opened.database.query(
      'alter',
      `alter role postgres in database ${pathname.slice(1)} set statement_timeout = '10s'`,
    )
    // Connections that the pooler holds have what the role had when they were opened.
    await opened.database.query(
      'cut',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await rejectionOf(database.query('one', 'select 1'))
    await part.start()
    expect(warnings).to.have.lengthOf(1)
    await database.close()
  })
})

function pooled(
  connectionString: string,
  options: { isPooled?: boolean; statementTimeoutMs?: number } = {},
): Database {
  return createPool({
    connectionString,
    isPooled: true,
    statementTimeoutMs: patienceMs,
    maxConnections: 10,
    connectionTimeoutMs: patienceMs,
    ...options,
    applicationName: 'test',
    clock: systemClock,
    metrics: createPoolMetrics(new Registry()),
  })
}
