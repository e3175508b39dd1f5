import { expect } from 'chai'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { systemEffects } from '../../runtime/system-effects.ts'
import { migrate as migrateWith } from './migrate.ts'
import { NewerSchema, ownLevel, versionOf } from './schema-check.ts'
import { readSchema } from './schema-state.ts'
import { openEmptyDatabase, testPool } from '../../../testing/support/database.ts'
import type { Database, Query } from '../connection/query.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const migrate = (database: Database) =>
  migrateWith({ database, effects: systemEffects(), release: 'test' })
const schemaVersion = async (query: Query) => versionOf(await readSchema(query))

describe('migrate', () => {
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await openEmptyDatabase()
  })
  afterEach(() => opened.close())

  it('migrates once when several replicas start at the same time', async () => {
    const to = (await ownLevel()).level
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

  it('leaves in the record of 0.2.0 only what 0.2.0 accepts', async () => {
    const { query } = opened.database
    await migrate(opened.database)
    // Its check: the newest row must not be greater than its own newest file.
    const [row] = await query('newest', 'select max(version) as version from schema_migrations')
    expect(row).to.deep.equal({ version: 8 })
  })

  it('makes a store available that waited for the migrations', async () => {
    const store = createPostgresStore(opened.database)
    const error = await rejectionOf(store.ping())
    expect(error).to.have.property('name', 'DatabaseUnavailable')
    await migrate(opened.database)
    await store.ping()
  })
})
