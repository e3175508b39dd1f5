import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { configFile, serverConfig } from '../support/api/config-file.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { openTestBucket } from '../support/object-store.ts'

export interface ApiServer {
  readonly url: string
  readonly apiKey: string
  /** Ends it and answers what it has logged at level error. */
  stop(): Promise<string[]>
}

const apiKey = 'cff_0123456789abcdef0123456789abcdef'

/** Everything allowed, nothing limited: a refusal by plan would hide what lies behind it. */
const plan = {
  vcpuPerCommand: 16,
  maxRunSeconds: 86_400,
  maxFileMbytes: 102_400,
  chained: true,
  uploads: true,
  private: true,
  webhooks: true,
}

/** The API server as it ships, over a real database and a real S3 server; no cluster answers it. */
export async function startApiServer(): Promise<ApiServer> {
  const database = await openEmptyDatabase()
  const storage = await openTestBucket()
  const environment = {
    KUBECONFIG: await deadCluster(),
    CLOUD_FFMPEG_CONFIG: configFile({
      ...serverConfig({ unlimited: plan }),
      storage: {
        endpoint: storage.endpoint ?? '',
        bucket: storage.bucket,
        publicBaseUrl: `${storage.endpoint}/${storage.bucket}`,
      },
      // No server takes the mails; they wait.
      accounts: {
        registration: true,
        plan: 'unlimited',
        selfDeletion: true,
        publicUrl: 'http://127.0.0.1',
      },
      smtp: { host: '127.0.0.1', port: 1, from: 'media@example.com' },
      apiServer: { port: 0, drainSeconds: 0 },
      metrics: { port: 0 },
    }),
    CLOUD_FFMPEG_DATABASE_URL: database.connectionString,
    CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: storage.credentials.accessKeyId,
    CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: storage.credentials.secretAccessKey,
    CLOUD_FFMPEG_BOOTSTRAP_API_KEY: apiKey,
  }
  const main = path.resolve(import.meta.dirname, '../../api-server/main.ts')
  const child = spawn(process.execPath, [main], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const errors: string[] = []
  const started = Promise.withResolvers<string>()
  void (async () => {
    for await (const line of createInterface(child.stdout)) {
      const entry: unknown = JSON.parse(line)
      if (typeof entry !== 'object' || entry === null) continue
      if ('level' in entry && entry.level === 'error') errors.push(line)
      if ('message' in entry && entry.message === 'started' && 'port' in entry) {
        started.resolve(`http://127.0.0.1:${String(entry.port)}`)
      }
    }
    started.reject(new Error('the API server did not start'))
  })()
  return {
    url: await started.promise,
    apiKey,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await database.close()
      return errors
    },
  }
}

/** A configuration of a cluster that refuses every connection. */
async function deadCluster(): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'fuzz-')), 'kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'dead', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'dead', user: {} }],
    contexts: [{ name: 'dead', context: { cluster: 'dead', user: 'dead' } }],
    'current-context': 'dead',
  }
  await writeFile(file, JSON.stringify(config))
  return file
}
