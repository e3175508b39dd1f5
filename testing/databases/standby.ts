import { appendFile, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import {
  postgresBinaries,
  unprivilegedUser,
} from '../../local-cluster/servers/postgres-binaries.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { freePort, startTestServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'

/** A PostgreSQL server with its superuser. */
export interface PostgresServer {
  readonly connectionString: string
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]>
  /** At once, as a crash of its machine. */
  kill(): Promise<void>
}

export interface PrimaryAndStandby {
  readonly primary: PostgresServer
  /** Streams from the primary. */
  readonly standby: PostgresServer
}

const shared = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=on',
  'hot_standby=on',
]

/** A primary and a standby by streaming replication, made from a base backup. */
export async function startWithStandby(): Promise<PrimaryAndStandby> {
  const user = await unprivilegedUser()
  const binaries = await postgresBinaries(user, path.join(tmpdir(), 'cloud-ffmpeg-postgres'))
  const folder = async () => {
    const made = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-replicated-'))
    if (user.uid !== undefined && user.gid !== undefined) await chown(made, user.uid, user.gid)
    return made
  }
  const start = async (at: string, settings: readonly string[]): Promise<PostgresServer> => {
    const port = await freePort()
    const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
    const args = ['-D', path.join(at, 'data'), '-p', `${port}`]
    const server = serverAt(connectionString, path.join(at, 'data'))
    await startTestServer({
      ...user,
      command: path.join(binaries, 'postgres'),
      args: [...args, ...[...shared, ...settings].flatMap((each) => ['-c', each])],
      folder: at,
      check: () => server.sql('select 1'),
    })
    return server
  }

  const [first, second] = [await folder(), await folder()]
  const flags = ['--no-sync', '--locale=C', '--encoding=UTF8', '--auth=trust']
  const data = path.join(first, 'data')
  await runCommand(
    path.join(binaries, 'initdb'),
    ['-D', data, '--username=postgres', ...flags],
    user,
  )
  const primary = await start(first, ['wal_level=replica'])
  const copy = path.join(second, 'data')
  await baseBackup(primary, data, copy, user)
  const standby = await start(second, [])
  await until(async () => {
    const [row] = await primary.sql<{ streams: boolean }>(
      `select exists (select from pg_stat_replication where state = 'streaming') as streams`,
    )
    return row?.streams
  }, 'the standby to stream')
  return { primary, standby }
}

/** One session makes the backup, which ends with the connection that began it. */
async function baseBackup(
  primary: PostgresServer,
  from: string,
  to: string,
  { uid, gid }: Awaited<ReturnType<typeof unprivilegedUser>>,
): Promise<void> {
  const client = new pg.Client({ connectionString: primary.connectionString })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  await cp(from, to, { recursive: true, preserveTimestamps: true })
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop()',
  )
  await client.end()
  await rm(path.join(to, 'postmaster.pid'))
  await writeFile(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  await writeFile(path.join(to, 'standby.signal'), '')
  const { port } = new URL(primary.connectionString)
  // ALTER SYSTEM writes to the same file, so that a test can end and resume the stream.
  const conninfo = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
  await appendFile(path.join(to, 'postgresql.auto.conf'), conninfo)
  await runCommand('chmod', ['-R', 'u=rwX,go=', to])
  if (uid !== undefined && gid !== undefined) await runCommand('chown', ['-R', `${uid}:${gid}`, to])
}

function serverAt(connectionString: string, data: string): PostgresServer {
  return {
    connectionString,
    async sql<Row>(text: string): Promise<Row[]> {
      const client = new pg.Client({ connectionString })
      client.on('error', () => undefined)
      await client.connect()
      try {
        const { rows } = await client.query(text)
        return rows as Row[]
      } finally {
        await client.end()
      }
    },
    async kill() {
      const [pid] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
    },
  }
}
