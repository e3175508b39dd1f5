import { expect } from 'chai'
import { systemClock } from '../runtime/system-effects.ts'
import { startApiServer } from '../../testing/support/kube-server.ts'
import { readJson } from './json-body.ts'
import { kubeconfigAccess } from './access/kubeconfig-access.ts'
import { createSystemTransport } from './system-transport.ts'
import type { ApiServer } from '../../testing/support/kube-server.ts'
import type { SystemTransport } from './system-transport.ts'

describe('transport to a real server', () => {
  let api: ApiServer
  let transport: SystemTransport

  afterEach(async () => {
    await transport.close()
    await api.close()
  })

  it('sends method, path, query, body and content type, below the path of the server', async () => {
    await listen({ basePath: '/clusters/one/' })
    const response = await transport({
      method: 'PATCH',
      path: '/apis/batch/v1/namespaces/n/jobs/a',
      query: { labelSelector: 'a=b,c in (d)' },
      body: { spec: { suspend: true } },
      contentType: 'application/merge-patch+json',
      signal: new AbortController().signal,
    })
    expect(await readJson(response.body)).to.deep.equal({})
    const [request] = api.seen
    expect(request?.method).to.equal('PATCH')
    expect(request?.url).to.equal(
      '/clusters/one/apis/batch/v1/namespaces/n/jobs/a?labelSelector=a%3Db%2Cc+in+%28d%29',
    )
    expect(request?.headers['content-type']).to.equal('application/merge-patch+json')
    expect(request?.body).to.equal('{"spec":{"suspend":true}}')
    // The API server refuses to send its token keys as anything but the second.
    expect(request?.headers.accept).to.equal('application/json, application/jwk-set+json')
  })

  it('sends the body of a DELETE, and goes on with the next request on its connection', async () => {
    await listen()
    for (const propagationPolicy of ['Background', 'Foreground', 'größer']) {
      const response = await transport({
        method: 'DELETE',
        path: '/apis/batch/v1/namespaces/n/jobs/a',
        body: { propagationPolicy },
        signal: new AbortController().signal,
      })
      expect(response.status).to.equal(200)
      await readJson(response.body)
      expect(api.seen.at(-1)?.body).to.equal(JSON.stringify({ propagationPolicy }))
    }
  })

  it('passes on status and Retry-After', async () => {
    await listen()
    api.answer = (_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end('{"kind":"Status","code":429}')
    }
    const response = await get()
    expect(response).to.include({ status: 429, retryAfterSeconds: 7 })
    expect(await readJson(response.body)).to.deep.equal({ kind: 'Status', code: 429 })
  })

  it('streams, and ends a stream with its signal', async () => {
    await listen()
    api.answer = (_request, response) => void response.writeHead(200).write('one\n')
    const stop = new AbortController()
    const { body } = await get(stop.signal)
    const chunks: string[] = []
    const reason = new Error('enough')
    const ended = await (async () => {
      for await (const chunk of body) {
        chunks.push(Buffer.from(chunk).toString())
        stop.abort(reason)
      }
    })().catch((error: unknown) => error)
    expect(chunks).to.deep.equal(['one\n'])
    expect(ended).to.be.an.instanceOf(Error)
  })

  it('rejects when the connection is refused', async () => {
    await listen()
    const config = api.config()
    transport = createSystemTransport({
      loadAccess: async () => kubeconfigAccess(config),
      clock: systemClock,
    })
    await new Promise((resolve) => api.server.close(resolve))
    const error: unknown = await get().catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'ECONNREFUSED' })
  })

  async function listen(options: { basePath?: string } = {}): Promise<void> {
    api = await startApiServer(options)
    transport = createSystemTransport({
      loadAccess: async () => kubeconfigAccess(api.config()),
      clock: systemClock,
    })
  }

  function get(signal: AbortSignal = new AbortController().signal) {
    return transport({ method: 'GET', path: '/api/v1/namespaces/n/pods', signal })
  }
})
