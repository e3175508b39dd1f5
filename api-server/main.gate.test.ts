import { expect } from 'chai'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rejectionOf, useResource } from '../testing/support/mocha.ts'
import { submission, runPath } from '../testing/support/api/app.ts'
import { checkedCall } from './checked-call.fixture.ts'
import { endMains, environmentWith, freePorts, startMain } from './main.fixture.ts'
import { planWith } from '../testing/support/plans.ts'
import { openEmptyDatabase } from '../testing/support/database.ts'

const key = 'cff_0123456789abcdef0123456789abcdef'
const plan = planWith({ vcpuPerCommand: 16, vcpuTotal: null, maxRunSeconds: 86_400 })

describe('the process', () => {
  afterEach(endMains)
  const database = useResource(openEmptyDatabase)
  let environment: Record<string, string>
  before(async () => {
    environment = {
      KUBECONFIG: await deadCluster(),
      ...environmentWith(database.connectionString, { unlimited: plan }, freePorts),
      CLOUD_FFMPEG_BOOTSTRAP_API_KEY: key,
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
    const started = (config: object) =>
      startMain(environmentWith(database.connectionString, { unlimited: plan }, config)).ended
    const { code, errors } = await started({ apiServer: { port: 'http', streams: 0 } })
    expect(code).to.equal(1)
    expect(errors)
      .to.contain('apiServer.port must be integer; got "http": correct it in the values')
      .and.contain('apiServer.streams must be >= 1; got 0')
    const unknown = await started({ bootstrap: { plan: 'gold' } })
    expect(unknown.errors).to.contain("bootstrap.plan must be one of plans, unlimited; got 'gold'")
    const none = await startMain({}).ended
    expect(none.errors).to.contain('CLOUD_FFMPEG_CONFIG must be the path of config.json')
  })

  it('migrates with the migrate command', async () => {
    const { code } = await startMain(environment, ['migrate']).ended
    expect(code).to.equal(0)
    expect(await count()).to.equal(0)
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
