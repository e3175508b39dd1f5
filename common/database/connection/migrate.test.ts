import { expect } from 'chai'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migrate, NewerSchema, requiredVersion, schemaVersion } from './migrate.ts'
import { openEmptyDatabase, testPool } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

describe('migrate', () => {
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await openEmptyDatabase()
  })
  afterEach(() => opened.close())

  it('migrates once when several replicas start at the same time', async () => {
    const to = await requiredVersion()
    const pools = Array.from({ length: 4 }, () => testPool(opened.connectionString))
    const results = await Promise.all(pools.map((pool) => migrate(pool)))
    for (const pool of pools) await pool.close()
    expect(results.filter(({ from }) => from === 0)).to.have.length(1)
    expect(results.map((result) => result.to)).to.deep.equal([to, to, to, to])
    expect(await schemaVersion(opened.database.query)).to.equal(to)
  })

  it('refuses a database that a newer version has migrated', async () => {
    await migrate(opened.database)
    await opened.database.query('newer', 'insert into schema_migrations (version) values (9999)')
    const error = await rejectionOf(migrate(opened.database))
    expect(error).to.be.instanceOf(NewerSchema)
  })

  it('rolls back all changes when one migration fails', async () => {
    const { query } = opened.database
    await query('obstacle', 'create table uploads (taken integer)')
    const error = await rejectionOf(migrate(opened.database))
    expect(error).to.be.instanceOf(Error)
    expect(await schemaVersion(query)).to.equal(0)
    const tables = await query<{ name: string }>(
      'tables',
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.map(({ name }) => name)).to.deep.equal(['uploads'])
  })

  it('is what a store waits for', async () => {
    const store = createPostgresStore(opened.database)
    const error = await rejectionOf(store.ping())
    expect(error).to.have.property('name', 'DatabaseUnavailable')
    await migrate(opened.database)
    await store.ping()
  })
})
