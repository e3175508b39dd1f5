// Test support: shares with the stories how PostgreSQL's binaries are found.
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { Registry } from 'prom-client'
import {
  postgresBinaries,
  unprivilegedUser,
} from '../../local-cluster/servers/postgres-binaries.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { systemClock, systemEffects } from '../../common/runtime/system-effects.ts'
import { useResource } from './mocha.ts'
import { freePort, startTestServer } from './http-server.ts'
import { patienceMs } from './until.ts'
import { migrate } from '../../common/database/migration/migrate.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { createPool } from '../../common/database/connection/pool.ts'
import { createPoolMetrics } from '../../common/database/connection/pool-metrics.ts'
import type { Store } from '../../common/store/store.ts'
import type { Database } from '../../common/database/connection/query.ts'

export interface TestDatabase {
  readonly connectionString: string
  readonly database: Database
  readonly fill: Fill
  readonly close: () => Promise<void>
}

/** A statement on a connection of its own, without a timeout: many rows take as long as they take. */
type Fill = (sql: string, values?: readonly unknown[]) => Promise<void>

/**
 * A database of one's own on a real server, cloned from one that is migrated already, whose time stands still: `now()`
 * gains a microsecond with each transaction that writes, so that rows keep their order, and passes otherwise by
 * `ageDatabase` alone. A lease ends, and a bucket refills, when a test says so.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const opened = await openMovingDatabase()
  const name = new URL(opened.connectionString).pathname.slice(1)
  // Sessions that begin from now on find this `now()` before that of PostgreSQL.
  await opened.fill(`
    create schema stopped;
    create table stopped.clock as
      select now() as at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as first;
    create function public.now() returns timestamptz stable language sql as
      'select at + (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - first) * interval ''1 microsecond''
       from stopped.clock';
    do $$ declare own record; begin
      for own in select table_name, column_name from information_schema.columns
        where table_schema = 'public' and column_default = 'now()'
      loop
        execute format('alter table %I alter %I set default public.now()', own.table_name, own.column_name);
      end loop;
    end $$;
    alter database ${name} set search_path = public, pg_catalog`)
  return opened
}

/** The same with the time of PostgreSQL, whose own `now()` plans and costs of statements depend on. */
export async function openMovingDatabase(): Promise<TestDatabase> {
  server ??= startServer()
  const { url } = await server
  template ??= migratedTemplate(url)
  const name = await template
  databases += 1
  return open(url, `test_${databases}`, name)
}

/** A store over a test database, with the database itself. */
export interface TestStore extends Store {
  readonly database: Database
  readonly query: Database['query']
  readonly fill: Fill
  /** @returns the id of a new account */
  newAccount(plan?: string): Promise<string>
  close(): Promise<void>
}

/** Opens the store before the tests of a `describe`. */
export function useStore(opening = openTestDatabase): TestStore {
  return useResource(async () => {
    const { database, fill, close } = await opening()
    const store = createPostgresStore(database)
    const newAccount = async (plan = 'free') => {
      const accountId = systemEffects().newId()
      return (await store.ensureAccount({ accountId, name: `a${accountId}`, plan })).accountId
    }
    return { ...store, database, query: database.query, fill, newAccount, close }
  })
}

/** A database without a schema. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  server ??= startServer()
  const { url } = await server
  databases += 1
  return open(url, `test_${databases}`, 'template0')
}

interface Server {
  readonly url: (database: string) => string
}

// One server per test process, started by the first test that needs it.
let server: Promise<Server> | undefined
let template: Promise<string> | undefined
let databases = 0

async function open(url: Server['url'], name: string, from: string): Promise<TestDatabase> {
  await run(url('postgres'), `create database ${name} template ${from}`)
  const connectionString = url(name)
  const database = testPool(connectionString)
  const fill: Fill = (sql, values) => run(connectionString, sql, values)
  return { connectionString, database, fill, close: () => database.close() }
}

export function testPool(connectionString: string): Database {
  return createPool({
    connectionString,
    maxConnections: 10,
    applicationName: 'test',
    statementTimeoutMs: patienceMs,
    connectionTimeoutMs: patienceMs,
    clock: systemClock,
    metrics: createPoolMetrics(new Registry()),
  })
}

const withUniqueTimes = new Set(['usage_hours'])

/** Makes all that is in the database this much older, so that no test has to wait. */
export async function ageDatabase({ query }: Database, seconds: number): Promise<void> {
  const columns = await query<{ table: string; column: string }>(
    'time_columns',
    `select table_name as "table", column_name as "column"
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and data_type = 'timestamp with time zone'
       -- Keys of sums: older ones would be equal to others while they are changed.
       and (table_name, column_name) <> ('usage_hours', 'hour')`,
  )
  for (const [table, of] of Map.groupBy(columns, (each) => each.table)) {
    const change = (by: string): Promise<unknown> =>
      query(
        'age',
        `update ${table} set ${of.map(({ column }) => `${column} = ${column} ${by}`).join(', ')}`,
      )
    await query('age', `alter table ${table} disable trigger user`)
    if (withUniqueTimes.has(table)) {
      // A time that no row has lies between: else one row would meet another in the primary key.
      await change('- make_interval(years => 900)')
      await change(`+ make_interval(years => 900, secs => ${-seconds})`)
    } else await change(`- make_interval(secs => ${seconds})`)
    await query('age', `alter table ${table} enable trigger user`)
  }
}

/**
 * The real store for its contract test.
 * @param database what the store uses
 * @param direct the same database by sessions of its own
 */
export function contractStore(database: Database, direct = database) {
  return {
    store: createPostgresStore(database),
    age: (seconds: number) => ageDatabase(direct, seconds),
    changeFile: async (fileId: string, change: 'uploaded' | 'deleted') => {
      const sql =
        change === 'deleted'
          ? `update files set deleted_at = now() where file_id = $1`
          : `update files set status = 'UPLOADED', key = 'uploads/' || file_id, size_bytes = 77
             where file_id = $1`
      await direct.query(`change_file_${change}`, sql, [fileId])
    },
  }
}

async function migratedTemplate(url: Server['url']): Promise<string> {
  const name = 'migrated'
  await run(url('postgres'), `create database ${name}`)
  await migrate({ connectionString: url(name), effects: systemEffects() })
  return name
}

async function run(
  connectionString: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql, [...values])
  } finally {
    await client.end()
  }
}

async function startServer(): Promise<Server> {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const binaries = await postgresBinaries(user, path.join(tmpdir(), 'cloud-ffmpeg-postgres'))
  const data = path.join(folder, 'data')
  const flags = ['--no-sync', '--locale=C', '--encoding=UTF8', '--auth=trust']
  await runCommand(
    path.join(binaries, 'initdb'),
    ['-D', data, '--username=postgres', ...flags],
    user,
  )
  const port = await freePort()
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await startTestServer({
    ...user,
    command: path.join(binaries, 'postgres'),
    args: ['-D', data, '-p', `${port}`, ...serverSettings.flatMap((each) => ['-c', each])],
    folder,
    check: () => run(url('postgres'), 'select 1'),
  })
  return { url }
}

const serverSettings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Nothing here has to survive a crash of the machine.
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  // A plan depends on the rows and on the test's own ANALYZE, never on the processors or on the moment.
  'autovacuum=off',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'max_parallel_maintenance_workers=0',
]
