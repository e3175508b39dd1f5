import { expect } from 'chai'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { systemEffects } from '../common/runtime/system-effects.ts'
import { migrate } from '../common/database/migration/migrate.ts'
import { configFile, serverConfig } from '../testing/support/api/config-file.ts'
import { planWith } from '../testing/support/plans.ts'
import { openEmptyDatabase, openTestDatabase } from '../testing/support/database.ts'
import { startApiServer } from '../testing/support/kube-server.ts'
import type { ApiServer } from '../testing/support/kube-server.ts'
import { useFolder, useResource } from '../testing/support/mocha.ts'
import type { TestDatabase } from '../testing/support/database.ts'

const lease = '/apis/coordination.k8s.io/v1/namespaces/media/leases'

describe('the process of the operator', () => {
  const database = useResource(openTestDatabase)
  const at = useFolder()
  let cluster: ApiServer
  let kept: { readonly spec: Record<string, unknown> } | null
  const running = new Set<ChildProcess>()

  beforeEach(async () => {
    kept = null
    cluster = await startApiServer()
    cluster.answer = (request, response) => {
      const { method = '', url = '' } = request
      response.setHeader('content-type', 'application/json')
      if (url.startsWith(lease)) return void response.end(JSON.stringify(answerLease(method)))
      // A watch that has nothing to say stays open.
      if (url.includes('watch=')) return void response.write('')
      response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [], keys: [] }))

      function answerLease(verb: string): object {
        if (verb === 'GET' && kept === null) {
          response.statusCode = 404
          return { kind: 'Status', code: 404, reason: 'NotFound', message: 'no Lease' }
        }
        if (verb !== 'GET') {
          const sent = JSON.parse(cluster.seen.at(-1)?.body ?? '') as { spec: object }
          kept = { ...kept, ...sent, spec: { ...kept?.spec, ...sent.spec } }
        }
        const metadata = {
          name: 'media-operator',
          namespace: 'media',
          uid: 'uid-1',
          resourceVersion: '1',
          creationTimestamp: '2026-01-01T00:00:00Z',
        }
        return { ...kept, metadata }
      }
    }
  })
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL')
    await cluster.close()
  })

  it('reports all mistakes of its settings at once', async () => {
    const config = configFile({ metrics: { port: 'http' }, operator: { attempts: 11 } })
    const { errors, ended } = start({ CLOUD_FFMPEG_CONFIG: config })
    expect(await ended).to.equal(1)
    expect(errors.join('\n'))
      .to.match(/metrics.port must be integer; got "http": correct it in the values of the chart/)
      .and.match(/operator.attempts must be <= 10; got 11/)
      .and.match(/runner.image must be set; it is not/)
  })

  it('takes the Lease once it has started, and gives it back at SIGTERM', async () => {
    const { child, ended, line } = start(await environment(database))
    const started = await line('started')
    expect(started).to.include({ level: 'info', component: 'operator' })
    await line('leading')
    expect(kept?.spec['holderIdentity']).to.match(/^operator-0_/)
    child.kill('SIGTERM')
    expect(await ended).to.equal(0)
    expect(kept?.spec['holderIdentity'] ?? '').to.equal('')
  })

  it('the operator waits for the schema of the database, and leads as soon as it is there', async () => {
    const empty = await openEmptyDatabase()
    try {
      const { line } = start(await environment(empty))
      await line('waiting for the database')
      expect(kept).to.equal(null)
      await migrate({ ...empty, effects: systemEffects() })
      await line('leading')
    } finally {
      await empty.close()
    }
  })

  async function environment({ connectionString }: TestDatabase) {
    const kubeconfig = at('kubeconfig')
    await writeFile(kubeconfig, cluster.config().exportConfig())
    return {
      KUBECONFIG: kubeconfig,
      CLOUD_FFMPEG_CONFIG: configFile({
        ...serverConfig({ free: planWith({}) }),
        gateway: { url: 'http://gateway.media.svc:8080', listenPort: 0 },
        runner: { namespace: 'media', image: 'registry.example/runner:1', warm: { max: 0 } },
        metrics: { port: 0 },
      }),
      CLOUD_FFMPEG_DATABASE_URL: connectionString,
      CLOUD_FFMPEG_POD_NAME: 'operator-0',
      CLOUD_FFMPEG_POD_UID: 'uid-0',
      CLOUD_FFMPEG_POD_IP: '127.0.0.1',
      CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'id',
      CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
    }
  }

  function start(environmentOf: Record<string, string>) {
    const main = path.join(import.meta.dirname, 'main.ts')
    const child = spawn(process.execPath, [main], { env: environmentOf })
    running.add(child)
    const errors: string[] = []
    const lines: Record<string, unknown>[] = []
    createInterface(child.stderr).on('line', (text) => errors.push(text))
    createInterface(child.stdout).on('line', (text) => {
      lines.push(JSON.parse(text) as Record<string, unknown>)
      child.emit('logged')
    })
    const ended = once(child, 'close').then(([code]: unknown[]) => {
      running.delete(child)
      child.emit('logged')
      return code
    })
    /** @throws Error with the log where the process ends before it logs this message */
    async function line(message: string): Promise<Record<string, unknown>> {
      for (;;) {
        const found = lines.find((each) => String(each['message']).startsWith(message))
        if (found !== undefined) return found
        if (!running.has(child)) throw new Error(JSON.stringify([lines, errors]))
        await once(child, 'logged')
      }
    }
    return { child, ended, errors, line }
  }
})
