import { expect } from 'chai'
import { Registry } from 'prom-client'
import { systemClock } from '../runtime/system-effects.ts'
import { startApiServer } from '../../testing/support/kube-server.ts'
import { createKubeClient } from './client.ts'
import { createJobs } from './resources/jobs.ts'
import { isKubeError } from './kube-error.ts'
import { createKubeMetrics } from './kube-metrics.ts'
import { kubeconfigAccess } from './access/kubeconfig-access.ts'
import { createSystemTransport } from './system-transport.ts'
import type { ApiServer } from '../../testing/support/kube-server.ts'
import type { Job } from './resources/objects.ts'
import type { Resource } from './resources/resource.ts'
import type { SystemTransport } from './system-transport.ts'

describe('the client on a real server', () => {
  let api: ApiServer
  let transport: SystemTransport
  let jobs: Resource<Job>

  beforeEach(async () => {
    api = await startApiServer()
    transport = createSystemTransport({
      loadAccess: async () => kubeconfigAccess(api.config()),
      clock: systemClock,
    })
    const metrics = createKubeMetrics(new Registry())
    const effects = { clock: systemClock, random: () => 0, metrics }
    jobs = createJobs(createKubeClient({ transport, ...effects }))
  })

  afterEach(async () => {
    await transport.close()
    await api.close()
  })

  it('reads an object from a real server', async () => {
    api.answer = (_request, response) => void response.end(JSON.stringify(job))
    expect((await jobs.get('n', 'a'))?.status.active).to.equal(1)
  })

  it('follows a watch whose characters and lines are cut anywhere', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: { ...job, note: 'ü'.repeat(9) } })}\n`
    const bytes = Buffer.from(line + line)
    api.answer = (_request, response) => {
      response.write(bytes.subarray(0, 101))
      setImmediate(() => response.end(bytes.subarray(101)))
    }
    const { signal } = new AbortController()
    const query = { namespace: 'n', resourceVersion: '1', timeoutSeconds: 40, signal }
    const types: string[] = []
    for await (const { type } of await jobs.watch(query)) types.push(type)
    expect(types).to.deep.equal(['ADDED', 'ADDED'])
    expect(api.seen[0]?.url).to.contain('allowWatchBookmarks=true')
  })

  it('calls a broken answer transient, even after a valid start', async () => {
    api.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"metadata":')
      setImmediate(() => response.destroy())
    }
    const created: unknown = await jobs.create('n', {}).catch((error: unknown) => error)
    expect(isKubeError(created, 'transient')).to.equal(true)
  })

  it('the client does not quote an answer that is not JSON', async () => {
    api.answer = (_request, response) => void response.end('<html>secret</html>')
    const error: unknown = await jobs.create('n', {}).catch((thrown: unknown) => thrown)
    expect(isKubeError(error, 'transient')).to.equal(true)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.to.contain('secret')
  })

  it('ends a call that gets no answer', async () => {
    api.answer = () => undefined
    const options = { deadlineMs: 20, retry: false }
    const error: unknown = await jobs.get('n', 'a', options).catch((thrown: unknown) => thrown)
    expect(isKubeError(error, 'transient')).to.equal(true)
  })

  const job = {
    metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
    status: { active: 1 },
  }
})
