// Test support: shares with the stories how PostgreSQL's binaries are found.
/* oxlint-disable eslint/no-restricted-imports */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { Registry } from 'prom-client'
import { postgresBinaries, unprivilegedUser } from '../../e2e/cluster/postgres-binaries.ts'
import { runCommand } from '../../e2e/cluster/run-command.ts'
import { systemClock } from '../system-effects.ts'
import { migrate } from './migrate.ts'
import { createPool } from './pool.ts'
import type { Database } from './query.ts'

export interface TestDatabase {
  readonly connectionString: string
  readonly database: Database
  readonly close: () => Promise<void>
}

/** A database of one's own on a real server, cloned from one that is migrated already. */
export async function openTestDatabase(): Promise<TestDatabase> {
  server ??= startServer()
  const { url } = await server
  template ??= migratedTemplate(url)
  await template
  databases += 1
  return open(url, `test_${databases}`, 'migrated')
}

/** The same without a schema. */
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
let template: Promise<void> | undefined
let databases = 0

async function open(url: Server['url'], name: string, from: string): Promise<TestDatabase> {
  await run(url('postgres'), `create database ${name} template ${from}`)
  const connectionString = url(name)
  const database = testPool(connectionString)
  return { connectionString, database, close: () => database.close() }
}

export function testPool(connectionString: string): Database {
  return createPool({
    connectionString,
    maxConnections: 10,
    applicationName: 'test',
    statementTimeoutMs: 5_000,
    clock: systemClock,
    registry: new Registry(),
  })
}

/** Makes all that is in the database this much older, so that no test has to wait. */
export async function ageDatabase({ query }: Database, seconds: number): Promise<void> {
  const columns = await query<{ table: string; column: string }>(
    'time_columns',
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone'`,
  )
  for (const [table, of] of Map.groupBy(columns, (each) => each.table)) {
    const older = of.map(
      ({ column }) => `${column} = ${column} - make_interval(secs => ${seconds})`,
    )
    await query('age', `alter table ${table} disable trigger user`)
    await query('age', `update ${table} set ${older.join(', ')}`)
    await query('age', `alter table ${table} enable trigger user`)
  }
}

async function migratedTemplate(url: Server['url']): Promise<void> {
  await run(url('postgres'), 'create database migrated')
  const database = testPool(url('migrated'))
  await migrate(database)
  await database.close()
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/**
 * The shell ends the server and removes its files as soon as this process is gone, however it went:
 * its standard input is a pipe of ours.
 */
const untilWeEnd = `
  "$1" -D "$2" -p "$3" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
    -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=100 \
    >"$2/log" 2>&1 </dev/null &
  cat >/dev/null
  kill -QUIT $!
  wait
  rm -rf "$2"`

async function startServer(): Promise<Server> {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const binaries = await postgresBinaries(user, path.join(tmpdir(), 'cloud-ffmpeg-postgres'))
  const flags = ['--no-sync', '--locale=C', '--encoding=UTF8', '--auth=trust']
  await runCommand(
    path.join(binaries, 'initdb'),
    ['-D', folder, '--username=postgres', ...flags],
    user,
  )
  const port = await freePort()
  const child = spawn(
    'sh',
    ['-c', untilWeEnd, 'sh', path.join(binaries, 'postgres'), folder, `${port}`],
    // A group of its own: Ctrl-C is for the tests, and these end the server.
    { ...user, detached: true, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] },
  )
  child.unref()
  const { stdin } = child
  // The pipe is a socket: while it counts, the tests would never end.
  if (stdin instanceof Socket) stdin.unref()
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await answering(url('postgres'))
  return { url }
}

async function answering(connectionString: string): Promise<void> {
  const deadline = systemClock.monotonicMs() + 15_000
  for (;;) {
    try {
      return await run(connectionString, 'select 1')
    } catch (error) {
      if (systemClock.monotonicMs() > deadline) throw error
      await new Promise<void>((resolve) => {
        systemClock.schedule(50, resolve)
      })
    }
  }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
