import { expect } from 'chai'
import pg from 'pg'
import { scaled } from '../../../testing/scale.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
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

describe('the steps of a migration', () => {
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
        await migrate({ ...hit, effects: stillEffects(), release, files })
        expect(await schemaText(hit.database.query)).to.deep.equal(wanted)
        database = hit.database
        expect(await counts()).to.deep.equal(once)
        await hit.close()
      }
      expect(all.met()).to.be.greaterThan(9)
    })
  }

  it('reaches the same schema when the process crashes after any step of this release', async () => {
    const wanted = await schemaText(database.query)
    // The tests above take every step of two files; here is one in seven of all files.
    for (let at = 1; ; at += scaled({ smoke: 7, full: 1 })) {
      const hit = await openTestDatabase(lastWhole)
      const effects = crashingEffects(at, 'after')
      await migrate({ ...hit, effects, release }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      await migrate({ ...hit, effects: stillEffects(), release })
      expect(await schemaText(hit.database.query)).to.deep.equal(wanted)
      await hit.close()
      if (effects.met() < at) return
    }
  })

  it('run once each when two processes migrate at once', async () => {
    const pools = [testPool(opened.connectionString), testPool(opened.connectionString)]
    const results = await Promise.all(
      pools.map((pool) => migrate({ database: pool, effects: stillEffects(), release, files })),
    )
    await Promise.all(pools.map((pool) => pool.close()))
    expect(results.map(({ to }) => to)).to.deep.equal([102, 102])
    expect(await counts()).to.deep.equal(once)
  })

  describe('that create an index', () => {
    const oid = async () => {
      const [row] = await database.query('oid', `select 'numbers_by_id'::regclass::oid as oid`)
      return row?.['oid'] as unknown
    }
    let [migrator, writer]: pg.Client[] = []
    let pid: unknown
    let built: Promise<unknown>
    const again = parseMigration(
      '0101_index.sql',
      `-- phase: expand
-- oldest: 9
-- step: numbers_by_id
create index concurrently numbers_by_id on numbers (id);
`,
    )
    beforeEach(async () => {
      migrator = new pg.Client(opened.connectionString)
      writer = new pg.Client(opened.connectionString)
      await Promise.all([migrator.connect(), writer.connect()])
      await database.query('numbers', 'create table numbers (id integer)')
      await writer.query('begin; insert into numbers values (1)')
      const { rows } = await migrator.query<{ pid: number }>('select pg_backend_pid() as pid')
      pid = rows[0]?.pid
      migrator.on('error', () => undefined)
      // Waits for the writer's transaction.
      built = migrator
        .query('create index concurrently numbers_by_id on numbers (id)')
        .catch((error: unknown) => error)
      await until(async () => {
        const found = await database.query(
          'invalid',
          `select from pg_index where not indisvalid and indexrelid = to_regclass('numbers_by_id')`,
        )
        return found.length > 0
      }, 'the index to be invalid')
    })
    afterEach(async () => {
      await Promise.all([migrator?.end(), writer?.end()])
      expect(await schemaText(database.query)).to.include(
        'CREATE INDEX numbers_by_id ON public.numbers USING btree (id) t',
      )
      expect(versionOf(await readSchema(database.query))).to.equal(101)
    })

    it('drop one that a crash of the database left invalid and build it again', async () => {
      const before = await oid()
      await writer?.query('select pg_terminate_backend($1)', [pid])
      expect(await built).to.be.instanceOf(Error)
      await writer?.query('commit')
      const own = [...files.slice(0, lastWhole + 1), again]
      await migrate({ ...opened, effects: stillEffects(), release, files: own })
      expect(await oid()).not.to.equal(before)
    })

    it('wait for one that the database still builds for a process that crashed', async () => {
      const before = await oid()
      const effects = stillEffects()
      const clock = {
        ...effects.clock,
        schedule(delayMs: number, callback: () => void) {
          writer?.query('commit', () => undefined)
          return effects.clock.schedule(delayMs, callback)
        },
      }
      const own = [...files.slice(0, lastWhole + 1), again]
      await migrate({ ...opened, effects: { ...effects, clock }, release, files: own })
      await built
      expect(await oid()).to.equal(before)
    })
  })
})
