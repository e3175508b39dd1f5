import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { submission } from './app.fixture.ts'
import { checkedCall } from './checked-call.fixture.ts'
import { planWith } from '../testing/support/plans.ts'
import { neededSchema } from '../common/database/migration/schema-check.ts'
import { openEmptyDatabase, openTestDatabase } from '../testing/support/database.ts'
import type { TestDatabase } from '../testing/support/database.ts'

const key = 'cff_0123456789abcdef0123456789abcdef'
const runPath = '/v1/run-ffmpeg-command'

const plan = planWith({ vcpuPerCommand: 16, vcpuTotal: null, maxRunSeconds: 86_400 })

describe('the process', function () {
  this.timeout(20_000)
  let database: TestDatabase
  let environment: Record<string, string>
  before(async () => {
    database = await openEmptyDatabase()
    environment = {
      KUBECONFIG: await deadCluster(),
      CLOUD_FFMPEG_DATABASE_URL: database.connectionString,
      CLOUD_FFMPEG_NAMESPACE: 'media',
      CLOUD_FFMPEG_PLANS: JSON.stringify({ unlimited: plan }),
      CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: 'https://files.example/media',
      CLOUD_FFMPEG_STORAGE_BUCKET: 'media',
      CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'id',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
      CLOUD_FFMPEG_BOOTSTRAP_API_KEY: key,
      CLOUD_FFMPEG_PORT: '0',
      CLOUD_FFMPEG_METRICS_PORT: '0',
      CLOUD_FFMPEG_DRAIN_SECONDS: '0',
    }
  })
  after(() => database.close())

  const submit = (url: string) =>
    checkedCall(url, runPath, { method: 'POST', key, body: submission })
  const count = async () => {
    const { query } = database.database
    const [row] = await query<{ n: number }>('count', 'select count(*)::int as n from commands')
    return row?.n
  }

  it('reports all mistakes of its settings at once', async () => {
    const { code, errors } = await run({ CLOUD_FFMPEG_PORT: 'http' })
    expect(code).to.equal(1)
    expect(errors)
      .to.match(/DATABASE_URL: is not set/)
      .and.match(/PORT: must be integer/)
    const unknown = await run({ ...environment, CLOUD_FFMPEG_BOOTSTRAP_PLAN: 'gold' })
    expect(unknown.errors).to.contain("BOOTSTRAP_PLAN: 'gold' is none of the plans: unlimited")
  })

  it('migrates with the migrate command', async () => {
    const { code } = await run(environment, ['migrate'])
    expect(code).to.equal(0)
    expect(await count()).to.equal(0)
  })

  it('serves on the old schema while it migrates, stops meanwhile and resumes at its next start', async () => {
    const older = await openTestDatabase(neededSchema)
    const { query } = older.database
    const indexes = () =>
      query(
        'valid',
        `select from pg_index where indisvalid and indexrelid = to_regclass('commands_live')`,
      )
    const environmentOf = { ...environment, CLOUD_FFMPEG_DATABASE_URL: older.connectionString }
    await older.database.transaction(async (transaction) => {
      // The index waits for the end of this transaction.
      await transaction('write', 'lock table commands in row exclusive mode')
      const { url, stop } = await started(environmentOf)
      expect((await submit(url)).status).to.equal(200)
      expect(await indexes()).to.have.length(0)
      expect(await query('seen', `select from program_seen where level >= 9`)).to.have.length(1)
      expect((await stop('SIGTERM')).code).to.equal(0)
    })
    const { code } = await run(environmentOf, ['migrate'])
    expect(code).to.equal(0)
    expect(await indexes()).to.have.length(1)
    await older.close()
  })

  it('accepts submissions while the cluster is unavailable, and stops cleanly', async () => {
    const { url, stop } = await started(environment)
    const { status, body } = await submit(url)
    expect(status).to.equal(200)
    const list = await checkedCall(url, '/v1/commands', { key })
    expect(list.body).to.have.length(1)
    expect(JSON.stringify(list.body)).to.contain(Object.values(body ?? {})[0])
    const { code, output } = await stop('SIGTERM')
    expect(code).to.equal(0)
    expect(output).not.to.contain(key)
  })

  it('has stored nothing after a crash before the commit', async () => {
    const before = await count()
    const failpoints = 'api.row_committed=crash-before'
    const { url, ended } = await started({ ...environment, CLOUD_FFMPEG_FAILPOINTS: failpoints })
    const answer: unknown = await submit(url).catch((error: unknown) => error)
    expect(answer).to.be.instanceOf(TypeError)
    await ended
    expect(await count()).to.equal(before)
  })

  for (const point of ['api.row_committed=crash-after', 'api.replied=crash-before']) {
    it(`keeps the stored command after a crash at ${point}`, async () => {
      const before = (await count()) ?? 0
      const { url, ended } = await started({ ...environment, CLOUD_FFMPEG_FAILPOINTS: point })
      const answer: unknown = await submit(url).catch((error: unknown) => error)
      expect(answer).to.be.instanceOf(TypeError)
      await ended
      expect(await count()).to.equal(before + 1)
    })
  }

  it('creates one command when a client retries a request without an answer', async () => {
    const { query } = database.database
    const repeat = (url: string, name: string) =>
      checkedCall(url, runPath, {
        method: 'POST',
        key,
        body: submission,
        headers: { 'Idempotency-Key': name },
      })
    const healthy = await started(environment)
    for (const point of ['api.row_committed=crash-after', 'limits.answer_kept=crash-after']) {
      const before = (await count()) ?? 0
      const dying = await started({ ...environment, CLOUD_FFMPEG_FAILPOINTS: point })
      const answer: unknown = await repeat(dying.url, point).catch((error: unknown) => error)
      expect(answer).to.be.instanceOf(TypeError)
      await dying.ended
      // Expires the lease of the crashed process without the wait.
      await query('end_leases', 'update idempotency_keys set leased_until = now()')
      const { status, body } = await repeat(healthy.url, point)
      expect(status).to.equal(200)
      const [made] = await query<{ id: string }>(
        'newest',
        'select command_id as id from commands order by created_at desc limit 1',
      )
      expect(body).to.deep.equal({ command_id: made?.id })
      expect(await count()).to.equal(before + 1)
    }
    await healthy.stop('SIGTERM')
  })
})

/** A configuration of a cluster that refuses every connection. */
async function deadCluster(): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'api-server-')), 'kubeconfig')
  const server = 'https://127.0.0.1:1'
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'dead', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'dead', user: {} }],
    contexts: [{ name: 'dead', context: { cluster: 'dead', user: 'dead' } }],
    'current-context': 'dead',
  }
  await writeFile(file, JSON.stringify(config))
  return file
}

function start(environment: Record<string, string>, more: string[] = []) {
  const main = path.join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [main, ...more], { env: environment })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, output, errors }))
  return { child, ended }
}

function run(environment: Record<string, string>, more: string[] = []) {
  return start(environment, more).ended
}

/** Resolves with the port once the server listens. */
async function started(environment: Record<string, string>) {
  const { child, ended } = start(environment)
  for await (const line of createInterface(child.stdout)) {
    const entry: unknown = JSON.parse(line)
    if (typeof entry !== 'object' || entry === null) continue
    if (!('message' in entry) || entry.message !== 'started' || !('port' in entry)) continue
    const url = `http://127.0.0.1:${String(entry.port)}`
    const stop = (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    }
    return { url, ended, stop }
  }
  const { errors } = await ended
  throw new Error(`not started: ${errors}`)
}
