import { rm } from 'node:fs/promises'
import pg from 'pg'
import { startPostgres } from '../../../local-cluster/servers/postgres.ts'
import type { Say } from '../../../local-cluster/host/progress.ts'
import { median } from '../../../testing/support/statistics.ts'
import type { Figure } from '../figure/figure.ts'
import { compareArms } from './compare-arms.ts'
import type { Load } from './compare-arms.ts'
import { fillRows } from './fill-rows.ts'
import { apiKey, startServers } from './start-servers.ts'

/** Commits reach the disk as they do in production. */
const settings = { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' }
const server = { instance: 'bench-api', hostAddress: '127.0.0.1', settings }
const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' }

/** The API server beside Express hello and a bare `http` server, with a million commands of one account. */
export async function api(short: boolean, say: Say): Promise<Figure[]> {
  const rows = short ? 100_000 : 1_000_000
  const load = short ? { seconds: 2, rounds: 1 } : { seconds: 5, rounds: 3 }
  const postgres = await startPostgres({ ...server, say })
  const name = `bench_${process.pid}`
  const client = new pg.Client(await postgres.createDatabase(name))
  await client.connect()
  const servers = await startServers(postgres.url(name))
  try {
    await fillRows(client, rows, say)
    say('lists, reads and submissions (3 minutes, with --short half a minute)')
    return [
      ...(await lists(servers.api, rows)),
      ...(await reads(servers, client, load)),
      ...(await submissions(servers, load)),
    ]
  } finally {
    await client.end()
    servers.stop()
    await postgres.stop()
    await rm(postgres.folder, { recursive: true })
  }
}

/** Pages at offsets, one request at a time. */
async function lists(url: string, rows: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const offset of [0, 10_000, rows - 1_000]) {
    const times: number[] = []
    while (times.length < 30) {
      const began = performance.now()
      await (await fetch(`${url}/v1/commands?limit=20&offset=${offset}`, { headers })).text()
      times.push(performance.now() - began)
    }
    // A statement is planned for good after some calls.
    const value = median(times.slice(10))
    const bar = { atMost: offset <= 10_000 ? 10 : 400 }
    figures.push({ name: `page of 20 commands at offset ${offset}`, value, unit: 'ms', bar })
  }
  return figures
}

type Servers = Awaited<ReturnType<typeof startServers>>

/** Polls of commands of which 400 change each second, pages, and records of files, beside Express hello. */
async function reads(servers: Servers, client: pg.Client, load: Load): Promise<Figure[]> {
  const live = await ids(client, `commands where status = 'PROCESSING'`, 'command_id')
  const files = await ids(client, 'files', 'file_id')
  const of = (paths: string[]) => paths.map((path) => ({ path, headers }))
  const arm = (paths: string[]) => ({ url: servers.api, requests: of(paths) })
  let changed = 0
  const changing = setInterval(() => {
    changed = (changed + 64) % live.length
    void client.query(makeProgress, [live.slice(changed, changed + 64)])
  }, 160)
  const { hello, ...own } = await compareArms(
    {
      polls: arm(live.map((id) => `/v1/commands/${id}`)),
      'pages of 20 commands': arm(['/v1/commands?limit=20']),
      'pages of 20 files': arm(['/v1/files?limit=20']),
      'records of files': arm(files.map((id) => `/v1/files/${id}`)),
      hello: { url: servers.hello, requests: [{ path: '/' }] },
    },
    64,
    load,
  )
  clearInterval(changing)
  return Object.entries(own).map(([what, value]) => ({
    name: `${what}, beside Express hello`,
    value,
    unit: 'per second',
    peer: hello,
    bar: { atLeast: what === 'polls' ? 0.45 : 0.4, ofPeer: true },
  }))
}

async function ids(client: pg.Client, from: string, column: string): Promise<string[]> {
  const found = await client.query<{ id: string }>(`select ${column} as id from ${from} limit 640`)
  return found.rows.map(({ id }) => id)
}

const makeProgress = `
  update commands set version = version + 1, progress_percent = (progress_percent + 1)::integer % 50
  where command_id = any($1::uuid[])`

/** Beside a bare `http` server with one INSERT each. */
async function submissions({ api: url, bare }: Servers, load: Load): Promise<Figure[]> {
  const body = JSON.stringify({
    ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}',
    input_files: { in_1: 'https://media.example/sample.avi' },
    output_files: { out_1: 'small.mp4' },
  })
  const post = { method: 'POST' as const, headers, body }
  const arms = {
    own: { url, requests: [{ ...post, path: '/v1/run-ffmpeg-command' }] },
    peer: { url: bare, requests: [post] },
  }
  const figures: Figure[] = []
  for (const connections of [32, 256]) {
    const { own: value, peer } = await compareArms(arms, connections, load)
    const name = `submissions on ${connections} connections, beside bare http`
    const bar = { atLeast: connections === 32 ? 0.6 : 1, ofPeer: true } as const
    figures.push({ name, value, unit: 'per second', peer, bar })
  }
  return figures
}
