import { expect } from 'chai'
import pg from 'pg'
import { fastEffects } from '../../../testing/support/fast-effects.ts'
import { openTestDatabase, testPool } from '../../../testing/support/database.ts'
import {
  Crash,
  crashingEffects,
  laterFiles,
  schemaText,
} from '../../../testing/support/migrations.ts'
import { lastWhole, migrationFiles, parseMigration } from './migration-files.ts'
import { migrate } from './migrate.ts'
import { versionOf } from './schema-check.ts'
import { readSchema } from './schema-state.ts'
import type { Database } from '../connection/query.ts'
import type { Migration } from './migration-files.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const release = '9.9.9'

describe('the steps of a migration', function () {
  this.timeout(120_000)
  let opened: TestDatabase
  let database: Database
  let files: Migration[]
  before(async () => {
    files = [...(await migrationFiles()), ...laterFiles()]
  })
  beforeEach(async () => {
    opened = await openTestDatabase()
    ;({ database } = opened)
  })
  afterEach(() => opened.close())

  const counts = async () => {
    const [row] = await database.query(
      'counts',
      `select min(runs) as least, max(runs) as most, count(*) filter (where twice = 2 * id) as filled
       from numbers where id > 1`,
    )
    const [first] = await database.query('first', 'select runs from numbers where id = 1')
    return { ...row, first: first?.['runs'] as unknown }
  }
  const once = { least: 1, most: 1, filled: 2_499, first: 2 }

  for (const when of ['before', 'after'] as const) {
    it(`run once each when the process crashes ${when} any of them and is started again`, async () => {
      const reference = await openTestDatabase()
      const all = crashingEffects(0, when)
      await migrate({ database: reference.database, effects: all, release, files })
      const wanted = await schemaText(reference.database.query)
      await reference.close()
      for (let at = 1; at <= all.met(); at += 1) {
        const hit = await openTestDatabase()
        const effects = crashingEffects(at, when)
        const ended = await migrate({ ...hit, effects, release, files }).catch(
          (error: unknown) => error,
        )
        expect(ended).to.have.property('name', 'Crash')
        await migrate({ ...hit, effects: fastEffects(), release, files })
        expect(await schemaText(hit.database.query)).to.deep.equal(wanted)
        database = hit.database
        expect(await counts()).to.deep.equal(once)
        await hit.close()
      }
      expect(all.met()).to.be.greaterThan(9)
    })
  }

  it('of this release lead to the same schema when the process crashes after any of them', async () => {
    const wanted = await schemaText(database.query)
    for (let at = 1; ; at += 1) {
      const hit = await openTestDatabase(lastWhole)
      const effects = crashingEffects(at, 'after')
      await migrate({ ...hit, effects, release }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      await migrate({ ...hit, effects: fastEffects(), release })
      expect(await schemaText(hit.database.query)).to.deep.equal(wanted)
      await hit.close()
      if (effects.met() < at) return
    }
  })

  it('run once each when two processes migrate at once', async () => {
    const pools = [testPool(opened.connectionString), testPool(opened.connectionString)]
    const results = await Promise.all(
      pools.map((pool) => migrate({ database: pool, effects: fastEffects(), release, files })),
    )
    await Promise.all(pools.map((pool) => pool.close()))
    expect(results.map(({ to }) => to)).to.deep.equal([102, 102])
    expect(await counts()).to.deep.equal(once)
  })

  it('drop an index that a crash left invalid and build it again', async () => {
    const migrator = new pg.Client(opened.connectionString)
    const writer = new pg.Client(opened.connectionString)
    await Promise.all([migrator.connect(), writer.connect()])
    await database.query('numbers', 'create table numbers (id integer)')
    await writer.query('begin; insert into numbers values (1)')
    const { rows } = await migrator.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Waits for the writer's transaction until its connection is lost.
    migrator.on('error', () => undefined)
    const lost = migrator
      .query('create index concurrently numbers_by_id on numbers (id)')
      .catch((error: unknown) => error)
    await untilInvalid(database)
    await writer.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(await lost).to.be.instanceOf(Error)
    await writer.query('commit')
    await writer.end()
    const again = parseMigration(
      '0101_index.sql',
      `-- phase: expand
-- oldest: 9
-- step: numbers_by_id
create index concurrently numbers_by_id on numbers (id);
`,
    )
    await migrate({
      ...opened,
      effects: fastEffects(),
      release,
      files: [...files.slice(0, 9), again],
    })
    expect(await schemaText(database.query)).to.include(
      'CREATE INDEX numbers_by_id ON public.numbers USING btree (id) t',
    )
    expect(versionOf(await readSchema(database.query))).to.equal(101)
  })
})

async function untilInvalid({ query }: Database): Promise<void> {
  for (;;) {
    const found = await query(
      'invalid',
      `select from pg_index where not indisvalid and indexrelid = to_regclass('numbers_by_id')`,
    )
    if (found.length > 0) return
  }
}
