import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer } from '../../../e2e/installation/bundle-server.ts'
import { freePort } from '../../support/http-server.ts'
import { startPostgres, stopPostgres } from '../../../e2e/cluster/servers/postgres.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import { waitFor } from '../../../e2e/cluster/host/wait-for.ts'
import { onCore } from './load.ts'
import { accountId, apiKey, databaseWithRows, liveCommands } from './rows.ts'

/** The API's own server and its peers on one PostgreSQL, without a cluster. */
export interface Rig {
  readonly databaseUrl: string
  readonly api: ApiServer
  /** One more API server, bundled and with the options of its image. */
  startImage(): Promise<ApiServer>
  /** Bare `http` with pg, and express. */
  readonly peers: { readonly bare: string; readonly express: string }
  readonly rows: number
}

export interface ApiServer {
  readonly url: string
  readonly metricsUrl: string
  readonly pid: number
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

const instance = 'bench-api'
const hostAddress = '127.0.0.1'

/** Runs `measure` and ends all that was started for it; the rows stay for the next time. */
export async function withRig<T>(
  options: { readonly rows: number; readonly say: Say },
  measure: (rig: Rig) => Promise<T>,
): Promise<T> {
  // Commits have to reach the disk as they do in production.
  const settings = { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' }
  const postgres = await startPostgres({ instance, hostAddress, settings, say: options.say })
  const children: ChildProcess[] = []
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'bench-image-')), 'app')
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL')
    await stopPostgres({ instance })
    await rm(path.dirname(folder), { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  }
  try {
    const databaseUrl = await databaseWithRows(postgres, options)
    const api = await startApi(databaseUrl, children)
    const peers = await startPeers(databaseUrl, children)
    const startImage = async () => {
      const program = await imageProgram(folder)
      // The first start writes what V8 compiled, which the image has from its build.
      await (await startApi(databaseUrl, children, program)).stop()
      return startApi(databaseUrl, children, program)
    }
    return await measure({ databaseUrl, api, peers, rows: options.rows, startImage })
  } finally {
    await stop()
  }
}

interface Program {
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

async function imageProgram(folder: string): Promise<Program> {
  await bundleServer('api-server', folder)
  const cache = { NODE_COMPILE_CACHE: path.join(path.dirname(folder), 'compile-cache') }
  const env = { ...(await imageEnvironment()), ...cache }
  return { script: path.join(folder, 'api-server/main.mjs'), env }
}

/** What the image sets for Node.js and for the C library. */
async function imageEnvironment(): Promise<Record<string, string>> {
  const text = await readFile(fromHere('../../../api-server/root.Dockerfile'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('ENV '))
  const pairs = lines.flatMap((line) => [...line.matchAll(/([A-Z_]+)=(?:"([^"]*)"|(\S+))/g)])
  return Object.fromEntries(
    pairs.map(([, name, quoted, plain]) => [name ?? '', quoted ?? plain ?? '']),
  )
}

const sources: Program = { script: fromHere('../../../api-server/main.ts'), env: {} }

function fromHere(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

async function startApi(
  databaseUrl: string,
  children: ChildProcess[],
  { script, env }: Program = sources,
): Promise<ApiServer> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const child = start(script, 'log', children, {
    ...env,
    CLOUD_FFMPEG_DATABASE_URL: databaseUrl,
    CLOUD_FFMPEG_NAMESPACE: 'bench',
    CLOUD_FFMPEG_PLANS: JSON.stringify({ unlimited }),
    CLOUD_FFMPEG_ACCOUNT_PLAN: 'unlimited',
    CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: 'https://files.example',
    CLOUD_FFMPEG_STORAGE_ENDPOINT: 'http://127.0.0.1:9',
    CLOUD_FFMPEG_STORAGE_BUCKET: 'bench',
    CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'bench',
    CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'bench',
    CLOUD_FFMPEG_PORT: `${port}`,
    CLOUD_FFMPEG_METRICS_PORT: `${metricsPort}`,
    CLOUD_FFMPEG_DRAIN_SECONDS: '0',
    // No cluster: dispatch finds the most resources alive that there may be, and waits.
    CLOUD_FFMPEG_LIVE_COMMANDS: `${liveCommands}`,
    KUBECONFIG: '/dev/null',
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor(
    () =>
      fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    {
      what: 'the API server to be ready',
      timeoutMs: 60_000,
    },
  )
  if (child.pid === undefined) throw new Error('the API server has no process id')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

const unlimited = {
  vcpuPerCommand: 16,
  maxRunSeconds: 86_400,
  maxFileMbytes: 102_400,
  chained: true,
  uploads: true,
  private: true,
  webhooks: true,
}

async function startPeers(databaseUrl: string, children: ChildProcess[]) {
  const child = start(fromHere('peers.ts'), 'ports', children, {
    PEER_DATABASE_URL: databaseUrl,
    PEER_ACCOUNT: accountId,
  })
  if (child.stdout === null) throw new Error('the peers have no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const { bare, express } = JSON.parse(line) as { bare: number; express: number }
    return { bare: `http://127.0.0.1:${bare}`, express: `http://127.0.0.1:${express}` }
  }
  throw new Error('the peers ended at once')
}

function start(
  script: string,
  says: 'ports' | 'log',
  children: ChildProcess[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const { command, args } = onCore('server', process.execPath, [script])
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    // Its log goes to a file: a full pipe would block it.
    stdio: ['ignore', says === 'ports' ? 'pipe' : 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

export const withKey = { 'X-API-KEY': apiKey }
