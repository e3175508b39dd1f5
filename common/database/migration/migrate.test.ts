import { mkdtemp, cp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { openEmptyDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { systemEffects } from '../../runtime/system-effects.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migrate } from './migrate.ts'
import { migrationNames } from './migration-names.ts'
import { appliedMigrations } from './schema-check.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { Effects } from '../../runtime/effects.ts'

const effects = systemEffects()

/** The files of this program with one more. */
async function nextRelease(sql: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'next-release-'))
  await cp(path.join(import.meta.dirname, '../migrations'), folder, { recursive: true })
  await writeFile(path.join(folder, '0100_next_release.sql'), sql)
  return folder
}

describe('migrate', () => {
  let opened: TestDatabase
  let folder: string | null = null
  beforeEach(async () => {
    opened = await openEmptyDatabase()
  })
  afterEach(async () => {
    await opened.close()
    if (folder !== null) await rm(folder, { recursive: true })
    folder = null
  })

  it('migrates once when several replicas start at the same time', async () => {
    const { connectionString } = opened
    const all = Array.from({ length: 4 }, () => migrate({ connectionString, effects }))
    const results = (await Promise.all(all)).filter((applied) => applied.length > 0)
    expect(results).to.deep.equal([await migrationNames()])
    expect(await appliedMigrations(opened.database.query)).to.deep.equal(await migrationNames())
  })

  it('the migration resumes behind the last whole file after a failure', async () => {
    const { connectionString, database } = opened
    await database.query('obstacle', 'create table files (taken integer)')
    expect(await rejectionOf(migrate({ connectionString, effects }))).to.match(/already exists/)
    const [before] = await database.query(
      'before',
      `select to_regclass('commands') is not null as commands,
         to_regclass('upload_sessions') is not null as sessions`,
    )
    expect(before).to.deep.equal({ commands: true, sessions: false })
    await database.query('remove', 'drop table files')
    const names = await migrationNames()
    expect(await migrate({ connectionString, effects })).to.deep.equal(
      names.slice(names.indexOf('0003_files')),
    )
  })

  it('makes a store available that waited for the migrations, and names what is missing', async () => {
    const store = createPostgresStore(opened.database)
    const error = await rejectionOf(store.ping())
    expect(error).to.have.property('name', 'DatabaseUnavailable')
    expect(String((error as Error).cause)).to.match(
      /lacks 0001_accounts, .*program needs: run the migration/,
    )
    await migrate({ ...opened, effects })
    await store.ping()
  })

  it('lets a program of the release before start and migrate on a newer schema', async () => {
    folder = await nextRelease('alter table commands add column of_next_release text;')
    await migrate({ ...opened, effects, folder })
    await createPostgresStore(opened.database).ping()
    expect(await migrate({ ...opened, effects })).to.deep.equal([])
  })

  it('builds an index again, beside writers, that a crash has left invalid', async () => {
    await migrate({ ...opened, effects })
    const { query } = opened.database
    // The duplicate makes the build of the index fail and leave the index invalid, as a crash would.
    for (const name of ['one', 'two']) {
      await query(
        `add_${name}`,
        `insert into accounts (account_id, name, plan) values (gen_random_uuid(), '${name}', 'pro')`,
      )
    }
    const sql = `create unique index concurrently accounts_of_next_release on accounts (plan);`
    folder = await nextRelease(sql)
    expect(await rejectionOf(migrate({ ...opened, effects, folder }))).to.match(/could not create/)
    await query('mend', `update accounts set plan = name`)
    expect(await migrate({ ...opened, effects, folder })).to.deep.equal(['0100_next_release'])
    const valid = await query(
      'valid',
      `select from pg_index where indisvalid and indexrelid = 'accounts_of_next_release'::regclass`,
    )
    expect(valid).to.have.length(1)
  })

  it('refuses a database of a version that was never published', async () => {
    await opened.database.query('old', 'create table schema_migrations (version integer)')
    expect(await rejectionOf(migrate({ ...opened, effects }))).to.match(/an empty database/)
  })
})

describe('a migration that needs the lock of a table', () => {
  let opened: TestDatabase
  let holder: pg.Client
  let folder: string
  before(async () => {
    folder = await nextRelease('alter table commands add column extra integer;')
  })
  after(() => rm(folder, { recursive: true }))
  beforeEach(async () => {
    opened = await openTestDatabase()
    holder = new pg.Client(opened.connectionString)
    await holder.connect()
    await holder.query('begin; select from commands limit 1')
  })
  afterEach(async () => {
    await holder.end()
    await opened.close()
  })
  const quick = (timed: Effects) =>
    migrate({ ...opened, effects: timed, folder, lockTimeoutMs: 20 })

  it('gives up its place in the queue after the lock timeout and tries again', async () => {
    const still = stillEffects()
    const waits: number[] = []
    await quick({
      ...still,
      clock: {
        ...still.clock,
        schedule(delayMs, callback) {
          waits.push(delayMs)
          holder.query('commit', () => callback())
          return () => undefined
        },
      },
    })
    expect(waits).to.have.length(1)
    expect(waits[0]).to.be.within(125, 250)
  })

  it('a migration without its lock fails after 30 tries and says what to do', async () => {
    expect(await rejectionOf(quick(stillEffects())))
      .to.be.instanceOf(Error)
      .with.property('message')
      .match(/did not get its lock in 30 tries.*pg_stat_activity/)
  })
})
