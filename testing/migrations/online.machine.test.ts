import { expect } from 'chai'
import { Registry } from 'prom-client'
import { contract } from '../../common/database/migration/contract.ts'
import { lastWhole, migrationFiles } from '../../common/database/migration/migration-files.ts'
import { migrate } from '../../common/database/migration/migrate.ts'
import { checkSchema, ownLevel } from '../../common/database/migration/schema-check.ts'
import { createPool } from '../../common/database/connection/pool.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { openTestDatabase } from '../support/database.ts'
import { scaled } from '../scale.ts'
import { newId } from '../store-contract/fixtures.ts'
import { startWriters } from './writers.ts'
import { watchLocks } from './watch-locks.ts'
import type { Database } from '../../common/database/connection/query.ts'
import type { Migration } from '../../common/database/migration/migration-files.ts'
import type { TestDatabase } from '../support/database.ts'

const rows = scaled({ smoke: 50_000, full: 1_000_000 })
const perSecond = 200
const mostLockMs = 200
const migrator = 'migrator'
const files = (await migrationFiles()).filter(({ version }) => version > lastWhole)

describe(`a migration of ${rows} commands beside ${perSecond} writes a second`, function () {
  this.timeout(1_200_000)
  const accountId = newId()
  let opened: TestDatabase
  let pools: Database[]
  before(async () => {
    opened = await openTestDatabase(lastWhole)
    pools = [patientPool(opened.connectionString), patientPool(opened.connectionString)]
    for (const pool of pools.slice(1)) await fill(pool, accountId)
  })
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    await opened.close()
  })

  for (const file of files) {
    it(`holds no request up: ${file.version} ${file.name}, by two processes at once`, async () => {
      const locks = await watchLocks(opened.connectionString, migrator)
      const writers = startWriters(opened.database, { accountId, perSecond })
      const program = await ownLevel()
      const began = systemClock.monotonicMs()
      await Promise.all(pools.map((database) => apply(database, file)))
      const seconds = (systemClock.monotonicMs() - began) / 1_000
      const { writes, failed, longestMs } = await writers.stop()
      const held = await locks.stop()
      const longest = `longest lock ${held.longestMs.toFixed(1)} ms in ${held.looks} looks`
      const requests = `${writes} writes, ${failed.length} failed, longest ${longestMs.toFixed(0)} ms`
      console.log(`      ${seconds.toFixed(1)} s; ${longest}; ${requests}`)
      expect(failed).to.deep.equal([])
      expect(writes).to.be.greaterThan(0)
      expect(held.longestMs, held.locks.join(', ')).to.be.lessThan(mostLockMs)
      // The writes themselves are slow on a busy machine; a lock for as long as an index is built is longer.
      expect(longestMs).to.be.lessThan(5_000)
      const needs = Math.min(program.needs, file.version)
      await checkSchema(opened.database.query, { ...program, needs })
    })
  }

  it('is watched by what sees a lock that holds writers up', async () => {
    const [pool] = pools
    const watch = await watchLocks(opened.connectionString, migrator)
    await pool?.transaction(async (query) => {
      await query('lock', 'lock table commands in share mode')
      await query('hold', 'select pg_sleep(0.3)')
    })
    const { longestMs, locks } = await watch.stop()
    expect(longestMs).to.be.greaterThan(mostLockMs)
    expect(locks).to.deep.equal(['commands ShareLock'])
  })

  it('leaves no invalid index', async () => {
    const invalid = await opened.database.query(
      'invalid',
      'select indexrelid::regclass from pg_index where not indisvalid',
    )
    expect(invalid).to.deep.equal([])
  })
})

async function apply(database: Database, file: Migration): Promise<void> {
  const deps = { database, effects: systemEffects(), release: '9.9.9' }
  if (file.phase !== 'contract') {
    await migrate(deps, file.version)
    return
  }
  await database.query(
    'age',
    `update schema_levels set release = '9.9.8', finished_at = now() - interval '2 hours'
     where version < ${file.version}`,
  )
  await contract(deps)
}

function patientPool(connectionString: string): Database {
  return createPool({
    connectionString,
    maxConnections: 2,
    applicationName: migrator,
    statementTimeoutMs: 600_000,
    clock: systemClock,
    registry: new Registry(),
  })
}

/** One in ten waits for dispatch, one in ten for admission; the others have ended. */
async function fill(database: Database, accountId: string): Promise<void> {
  await database.query(
    'account',
    `insert into accounts (account_id, name, plan) values ($1, 'a', 'pro')`,
    [accountId],
  )
  await database.query('triggers', 'alter table commands disable trigger user')
  const chunk = 25_000
  for (let from = 1; from <= rows; from += chunk) {
    await database.query('commands', commands, [accountId, from, Math.min(rows, from + chunk - 1)])
  }
  await database.query('triggers', 'alter table commands enable trigger user')
  // The counts of the lists begin with the rows that the writers add.
  await database.query('analyze', 'analyze commands')
}

const commands = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, vcpu_count, max_run_seconds,
    is_private, steps, created_at, status, error_status, error_message, finished_at, dispatched_at
  )
  select gen_random_uuid(), $1, 'FFMPEG_COMMAND', '{"commands":["-i {{in_1}} {{out_1}}"]}',
    '{"ffmpeg_command":"-i {{in_1}} {{out_1}}"}', 2, 300, false, '[]',
    now() - make_interval(secs => i), case when waits then 'QUEUED' else 'FAILED' end,
    case when not waits then 'FFMPEG_FAILED' end, case when not waits then 'exit code 187' end,
    case when not waits then now() end, case when i % 10 <> 0 then now() end
  from generate_series($2::integer, $3::integer) i, lateral (select i % 10 < 2 as waits) s`
