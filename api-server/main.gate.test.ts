import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rejectionOf, useResource } from '../testing/support/mocha.ts'
import { submission, runPath } from '../testing/support/api/app.ts'
import { checkedCall } from './checked-call.fixture.ts'
import { copyOfNextRelease, endMains, environmentWith, startMain } from './main.fixture.ts'
import { planWith } from '../testing/support/plans.ts'
import { neededSchema, ownLevel } from '../common/database/migration/schema-check.ts'
import { openEmptyDatabase, openTestDatabase } from '../testing/support/database.ts'

const key = 'cff_0123456789abcdef0123456789abcdef'
const plan = planWith({ vcpuPerCommand: 16, vcpuTotal: null, maxRunSeconds: 86_400 })

const indexOfNextRelease = `-- phase: expand
-- oldest: 8

-- step: commands_of_next_release
create index concurrently commands_of_next_release on commands (created_at);
`

describe('the process', () => {
  afterEach(endMains)
  const database = useResource(openEmptyDatabase)
  let environment: Record<string, string>
  before(async () => {
    environment = {
      KUBECONFIG: await deadCluster(),
      ...environmentWith(database.connectionString, { unlimited: plan }),
      CLOUD_FFMPEG_BOOTSTRAP_API_KEY: key,
      CLOUD_FFMPEG_PORT: '0',
      CLOUD_FFMPEG_METRICS_PORT: '0',
      CLOUD_FFMPEG_DRAIN_SECONDS: '0',
    }
  })

  const submit = (url: string) =>
    checkedCall(url, runPath, { method: 'POST', key, body: submission })
  const count = async () => {
    const { query } = database.database
    const [row] = await query<{ n: number }>('count', 'select count(*)::int as n from commands')
    return row?.n
  }

  it('reports all mistakes of its settings at once', async () => {
    const { code, errors } = await startMain({ CLOUD_FFMPEG_PORT: 'http' }).ended
    expect(code).to.equal(1)
    expect(errors)
      .to.match(/DATABASE_URL: is not set/)
      .and.match(/PORT: must be integer/)
    const unknown = await startMain({ ...environment, CLOUD_FFMPEG_BOOTSTRAP_PLAN: 'gold' }).ended
    expect(unknown.errors).to.contain("BOOTSTRAP_PLAN: 'gold' is none of the plans: unlimited")
  })

  it('migrates with the migrate command', async () => {
    const { code } = await startMain(environment, ['migrate']).ended
    expect(code).to.equal(0)
    expect(await count()).to.equal(0)
  })

  it('serves on the old schema while it migrates, stops meanwhile and resumes at its next start', async () => {
    const older = await openTestDatabase(neededSchema)
    const { query } = older.database
    const root = await mkdtemp(path.join(tmpdir(), 'next-release-'))
    const { level } = await ownLevel()
    const version = String(level + 1).padStart(4, '0')
    await copyOfNextRelease(root, { name: `${version}_index.sql`, text: indexOfNextRelease })
    const indexes = () =>
      query(
        'valid',
        `select from pg_index
         where indisvalid and indexrelid = to_regclass('commands_of_next_release')`,
      )
    const environmentOf = { ...environment, CLOUD_FFMPEG_DATABASE_URL: older.connectionString }
    await older.database.transaction(async (transaction) => {
      // A busy machine starts the process later than the pool ends an idle transaction.
      await transaction('patient', 'set local idle_in_transaction_session_timeout = 0')
      // The index waits for the end of this transaction.
      await transaction('write', 'lock table commands in row exclusive mode')
      const { url, stop } = await started(environmentOf, root)
      expect((await submit(url)).status).to.equal(200)
      expect(await indexes()).to.have.length(0)
      const seen = await query('seen', 'select from program_seen where level = $1', [level + 1])
      expect(seen).to.have.length(1)
      expect((await stop('SIGTERM')).code).to.equal(0)
    })
    const { code } = await startMain(environmentOf, ['migrate'], root).ended
    expect(code).to.equal(0)
    expect(await indexes()).to.have.length(1)
    await older.close()
    await rm(root, { recursive: true })
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

  it('the process has stored nothing after a crash before the commit', async () => {
    const before = await count()
    const failpoints = 'api.row_committed=crash-before'
    const { url, ended } = await started({ ...environment, CLOUD_FFMPEG_FAILPOINTS: failpoints })
    const answer = await rejectionOf(submit(url))
    expect(answer).to.be.instanceOf(TypeError)
    await ended
    expect(await count()).to.equal(before)
  })

  for (const point of ['api.row_committed=crash-after', 'api.replied=crash-before']) {
    it(`keeps the stored command after a crash at ${point}`, async () => {
      const before = (await count()) ?? 0
      const { url, ended } = await started({ ...environment, CLOUD_FFMPEG_FAILPOINTS: point })
      const answer = await rejectionOf(submit(url))
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
      const answer = await rejectionOf(repeat(dying.url, point))
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

/** Resolves with the port once the server listens. */
async function started(environment: Record<string, string>, root?: string) {
  const { child, ended } = startMain(environment, [], root)
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
