import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { unprivilegedUser } from '../../local-cluster/servers/postgres-binaries.ts'
import { freePort, startTestServer } from '../support/http-server.ts'

/** Fewer than the clients have, so that they share them. */
const serverConnections = 3

/**
 * A real PgBouncer in transaction mode before a database.
 * @returns its connection string
 */
export async function startPooler(connectionString: string): Promise<string> {
  const { hostname, port, pathname } = new URL(connectionString)
  const database = pathname.slice(1)
  const user = await unprivilegedUser()
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-pgbouncer-'))
  const own = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${database} = host=${hostname} port=${port} dbname=${database} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 100
`,
  )
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const pooled = `postgres://postgres@127.0.0.1:${own}/${database}`
  await startTestServer({
    ...user,
    command: '/usr/sbin/pgbouncer',
    args: [file],
    folder,
    check: async () => {
      const client = new pg.Client({ connectionString: pooled })
      await client.connect()
      await client.end()
    },
  })
  return pooled
}
