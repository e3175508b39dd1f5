import { expect } from 'chai'
import { Registry } from 'prom-client'
import { contract } from '../../common/database/migration/contract.ts'
import { lastWhole, migrationFiles } from '../../common/database/migration/migration-files.ts'
import { migrate } from '../../common/database/migration/migrate.ts'
import { checkSchema, ownLevel } from '../../common/database/migration/schema-check.ts'
import { createPool } from '../../common/database/connection/pool.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { openMovingDatabase } from '../support/database.ts'
import { scaled } from '../scale.ts'
import { newId } from '../store-contract/fixtures.ts'
import { startWriters } from './writers.ts'
import { watchLocks } from './watch-locks.ts'
import type { Database } from '../../common/database/connection/query.ts'
import type { Migration } from '../../common/database/migration/migration-files.ts'
import type { TestDatabase } from '../support/database.ts'

const rows = scaled({ smoke: 50_000, full: 1_000_000 })
const writing = 2
/** Most rows that a migration may read or change under a lock that holds up others. */
const mostRows = 1_000
const files = (await migrationFiles()).filter(({ version }) => version > lastWhole)

describe(`a migration of ${rows} commands beside ${writing} writers`, function () {
  this.timeout(1_200_000)
  const accountId = newId()
  let opened: TestDatabase
  let pools: Database[]
  before(async () => {
    opened = await openMovingDatabase(lastWhole)
    pools = [patientPool(opened.connectionString), patientPool(opened.connectionString)]
    await fill(opened, accountId)
  })
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    await opened.close()
  })

  for (const file of files) {
    it(`holds no request up: ${file.version} ${file.name}, by two processes at once`, async () => {
      const writers = startWriters(opened.database, { accountId, count: writing })
      const program = await ownLevel()
      const watches = await Promise.all(pools.map(watchLocks))
      await Promise.all(watches.map(({ watched }) => apply(watched, file)))
      const { writes, failed } = await writers.stop()
      expect(failed).to.deep.equal([])
      expect(writes).to.be.greaterThan(0)
      for (const { held } of watches) {
        for (const work of held) expect(work.rows, work.locks.join(', ')).to.be.at.most(mostRows)
      }
      const needs = Math.min(program.needs, file.version)
      await checkSchema(opened.database.query, { ...program, needs })
    })
  }

  it('is watched by what sees a lock that holds writers up', async () => {
    const { watched, held } = await watchLocks(opened.database)
    await watched.query('index', 'create index seen on commands (max_run_seconds)')
    await watched.query('index', 'drop index seen')
    expect(held[0]?.locks).to.deep.equal(['commands ShareLock'])
    expect(held[0]?.rows).to.be.at.least(rows)
    expect(held[1]?.rows).to.be.at.most(mostRows)
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
    applicationName: 'migrator',
    statementTimeoutMs: 600_000,
    clock: systemClock,
    registry: new Registry(),
  })
}

/** One in ten waits for dispatch, one in ten for admission; the others have ended. */
async function fill({ fill: run }: TestDatabase, accountId: string): Promise<void> {
  await run(`insert into accounts (account_id, name, plan) values ($1, 'a', 'pro')`, [accountId])
  await run('alter table commands disable trigger user')
  await run(commands, [accountId])
  await run('alter table commands enable trigger user')
  // The counts of the lists begin with the rows that the writers add.
  await run('vacuum analyze commands')
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
  from generate_series(1, ${rows}) i, lateral (select i % 10 < 2 as waits) s`
