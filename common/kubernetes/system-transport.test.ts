import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { KubeConfig } from '@kubernetes/client-node'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { systemClock } from '../system-effects.ts'
import { createKubeClient } from './client.ts'
import { createJobs } from './jobs.ts'
import { readJson } from './json-body.ts'
import { isKubeError } from './kube-error.ts'
import { createKubeMetrics } from './kube-metrics.ts'
import { createSystemTransport } from './system-transport.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../effects.ts'
import type { Job } from './objects.ts'
import type { Resource } from './resource.ts'
import type { SystemTransport } from './system-transport.ts'

describe('transport to a real server', () => {
  let folder: string
  let server: Server
  let transport: SystemTransport
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  let nowMs: number
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'transport-'))
    await makeCertificates(folder)
  })

  after(() => rm(folder, { recursive: true }))

  beforeEach(() => {
    seen = []
    nowMs = 0
    answer = (_request, response) => void response.end('{}')
  })

  afterEach(async () => {
    await transport.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
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
    const [request] = seen
    expect(request?.method).to.equal('PATCH')
    expect(request?.url).to.equal(
      '/clusters/one/apis/batch/v1/namespaces/n/jobs/a?labelSelector=a%3Db%2Cc+in+%28d%29',
    )
    expect(request?.headers['content-type']).to.equal('application/merge-patch+json')
    expect(request?.body).to.equal('{"spec":{"suspend":true}}')
    // The API server refuses to send its token keys as anything but the second.
    expect(request?.headers.accept).to.equal('application/json, application/jwk-set+json')
  })

  it('passes on status and Retry-After', async () => {
    await listen()
    answer = (_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end('{"kind":"Status","code":429}')
    }
    const response = await get()
    expect(response).to.include({ status: 429, retryAfterSeconds: 7 })
    expect(await readJson(response.body)).to.deep.equal({ kind: 'Status', code: 429 })
  })

  it('streams, and ends a stream with its signal', async () => {
    await listen()
    answer = (_request, response) => void response.writeHead(200).write('one\n')
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

  it('rejects where nobody listens', async () => {
    await listen()
    await readJson((await get()).body)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const error: unknown = await get().catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'ECONNREFUSED' })
  })

  it('shows token and client certificate over TLS, and reads them anew when they change', async () => {
    await listen({ tls: true })
    await writeFile(path.join(folder, 'token'), 'first')
    await get()
    await replace('token', 'second')
    await replace('client.crt', await readFile(path.join(folder, 'other.crt'), 'utf8'))
    await replace('client.key', await readFile(path.join(folder, 'other.key'), 'utf8'))
    await get()
    nowMs += 10_000
    await get()
    expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer first',
      'Bearer first',
      'Bearer second',
    ])
    expect(seen.map(({ headers }) => headers['x-client'])).to.deep.equal([
      'client',
      'client',
      'other',
    ])
  })

  it('looks at its files at once after a 401', async () => {
    await listen({ tls: true })
    await writeFile(path.join(folder, 'token'), 'old')
    answer = (request, response) =>
      void response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end('{}')
    await replace('token', 'new')
    await get()
    await replace('token', 'old')
    await replace('token', 'new')
    expect((await get()).status).to.equal(200)
    await replace('token', 'old')
    nowMs += 10_000
    expect((await get()).status).to.equal(401)
    await replace('token', 'new')
    expect((await get()).status).to.equal(200)
  })

  it('uses its connections again', async () => {
    await listen({ tls: true })
    await writeFile(path.join(folder, 'token'), 'x')
    let connections = 0
    server.on('secureConnection', () => (connections += 1))
    for (let i = 0; i < 10; i += 1) await readJson((await get()).body)
    nowMs += 10_000
    await readJson((await get()).body)
    // undici rests a connection for one turn of the event loop, so calls in a row take turns on two.
    expect(connections).to.be.at.most(2)
  })

  it('refuses a server that the authority did not sign', async () => {
    await listen({ tls: true })
    await writeFile(path.join(folder, 'token'), 'x')
    const config = configFor({ tls: true, ca: 'other.crt' })
    await transport.close()
    transport = createSystemTransport({ loadConfig: () => config, clock })
    const error: unknown = await get().catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/certificate|self-signed|issuer/i)
    expect(seen).to.deep.equal([])
  })

  it('serves on with what it has while new files do not fit together', async () => {
    await listen()
    await writeFile(path.join(folder, 'config'), '')
    let isBroken = false
    await transport.close()
    transport = createSystemTransport({
      loadConfig() {
        if (isBroken) throw new Error('half written')
        return configFor({})
      },
      clock,
      files: [path.join(folder, 'config')],
    })
    await get()
    isBroken = true
    await replace('config', 'changed')
    nowMs += 10_000
    expect((await get()).status).to.equal(200)
  })

  describe('under the client', () => {
    let jobs: Resource<Job>

    beforeEach(async () => {
      await listen()
      const metrics = createKubeMetrics(new Registry())
      const effects = { clock: systemClock, random: () => 0, metrics }
      jobs = createJobs(createKubeClient({ transport, ...effects }))
    })

    it('reads an object', async () => {
      answer = (_request, response) => void response.end(JSON.stringify(job))
      expect((await jobs.get('n', 'a'))?.status.active).to.equal(1)
    })

    it('follows a watch whose characters and lines are cut anywhere', async () => {
      const line = `${JSON.stringify({ type: 'ADDED', object: { ...job, note: 'ü'.repeat(9) } })}\n`
      const bytes = Buffer.from(line + line)
      answer = (_request, response) => {
        response.write(bytes.subarray(0, 101))
        setImmediate(() => response.end(bytes.subarray(101)))
      }
      const { signal } = new AbortController()
      const query = { namespace: 'n', resourceVersion: '1', timeoutSeconds: 40, signal }
      const types: string[] = []
      for await (const { type } of await jobs.watch(query)) types.push(type)
      expect(types).to.deep.equal(['ADDED', 'ADDED'])
      expect(seen[0]?.url).to.contain('allowWatchBookmarks=true')
    })

    it('calls a broken answer transient, whatever came before', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"metadata":')
        setImmediate(() => response.destroy())
      }
      const created: unknown = await jobs.create('n', {}).catch((error: unknown) => error)
      expect(isKubeError(created, 'transient')).to.equal(true)
    })

    it('does not quote an answer that is not JSON', async () => {
      answer = (_request, response) => void response.end('<html>secret</html>')
      const error: unknown = await jobs.create('n', {}).catch((thrown: unknown) => thrown)
      expect(isKubeError(error, 'transient')).to.equal(true)
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.to.contain('secret')
    })

    it('ends a call that gets no answer', async () => {
      answer = () => undefined
      const options = { deadlineMs: 20, retry: false }
      const error: unknown = await jobs.get('n', 'a', options).catch((thrown: unknown) => thrown)
      expect(isKubeError(error, 'transient')).to.equal(true)
    })
  })

  const job = {
    metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
    status: { active: 1 },
  }

  async function listen(options: { tls?: boolean; basePath?: string } = {}): Promise<void> {
    const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      const { method = '', url = '', headers } = request
      const client = clientName(request)
      seen.push({ method, url, body, headers: { ...headers, 'x-client': client } })
      answer(request, response)
    }
    const listener = (request: IncomingMessage, response: ServerResponse): void =>
      void onRequest(request, response)
    server =
      options.tls === true ? createTlsServer(await tlsOptions(), listener) : createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    transport = createSystemTransport({ loadConfig: () => configFor(options), clock })
  }

  async function tlsOptions() {
    const [cert, key, ca] = await Promise.all(
      ['server.crt', 'server.key', 'ca.crt'].map((name) => readFile(path.join(folder, name))),
    )
    return { cert, key, ca, requestCert: true, rejectUnauthorized: false }
  }

  function configFor(options: { tls?: boolean; basePath?: string; ca?: string }): KubeConfig {
    const { port } = server.address() as AddressInfo
    const file = (name: string): string => path.join(folder, name)
    const scheme = options.tls === true ? 'https' : 'http'
    const config = new KubeConfig()
    config.loadFromClusterAndUser(
      {
        name: 'cluster',
        server: `${scheme}://127.0.0.1:${port}${options.basePath ?? ''}`,
        skipTLSVerify: options.tls !== true,
        ...(options.tls === true ? { caFile: file(options.ca ?? 'ca.crt') } : {}),
      },
      options.tls === true
        ? {
            name: 'user',
            certFile: file('client.crt'),
            keyFile: file('client.key'),
            authProvider: { name: 'tokenFile', config: { tokenFile: file('token') } },
          }
        : { name: 'user' },
    )
    return config
  }

  function get(signal: AbortSignal = new AbortController().signal) {
    return transport({ method: 'GET', path: '/api/v1/namespaces/n/pods', signal })
  }

  /** As a projected volume does it: a new file takes the name. */
  async function replace(name: string, text: string): Promise<void> {
    await writeFile(path.join(folder, 'next'), text)
    await rename(path.join(folder, 'next'), path.join(folder, name))
  }
})

function clientName(request: IncomingMessage): string | undefined {
  const socket = request.socket as Partial<TLSSocket>
  const name = socket.getPeerCertificate?.().subject?.CN
  return typeof name === 'string' ? name : undefined
}

async function makeCertificates(folder: string): Promise<void> {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const selfSigned = (name: string) =>
    openssl('req', '-x509', ...key, '-days', '2', ...['-subj', `/CN=${name}`], ...outputs(name))
  await Promise.all([selfSigned('ca'), selfSigned('client'), selfSigned('other')])
  const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'subjectAltName=IP:127.0.0.1']
  await openssl('req', '-x509', ...key, ...signing, '-subj', '/CN=server', ...outputs('server'))
}

function outputs(name: string): string[] {
  return ['-keyout', `${name}.key`, '-out', `${name}.crt`]
}
