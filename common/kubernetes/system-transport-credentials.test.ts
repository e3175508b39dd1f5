import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { systemClock } from '../runtime/system-effects.ts'
import { startApiServer } from '../../testing/support/kube-server.ts'
import { readJson } from './json-body.ts'
import { podAccess } from './access/pod-access.ts'
import { kubeconfigAccess } from './access/kubeconfig-access.ts'
import { createSystemTransport } from './system-transport.ts'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../runtime/effects.ts'
import type { ApiServer } from '../../testing/support/kube-server.ts'
import type { SystemTransport } from './system-transport.ts'

describe('transport with credentials from files', () => {
  let folder: string
  let api: ApiServer
  let transport: SystemTransport
  let nowMs: number
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'transport-'))
    await makeCertificates(folder)
  })

  after(() => rm(folder, { recursive: true }))

  afterEach(async () => {
    await transport.close()
    await api.close()
  })

  it('shows token and client certificate over TLS, and reads them anew when they change', async () => {
    await listen()
    await writeFile(path.join(folder, 'token'), 'first')
    await get()
    await replace('token', 'second')
    await replace('client.crt', await readFile(path.join(folder, 'other.crt'), 'utf8'))
    await replace('client.key', await readFile(path.join(folder, 'other.key'), 'utf8'))
    await get()
    nowMs += 10_000
    await get()
    expect(api.seen.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer first',
      'Bearer first',
      'Bearer second',
    ])
    expect(api.seen.map(({ headers }) => headers['x-client'])).to.deep.equal([
      'client',
      'client',
      'other',
    ])
  })

  it('shows the token of the pod, and reads it anew when it changes', async () => {
    await listen()
    const { port } = api.server.address() as AddressInfo
    await transport.close()
    const access = podAccess({ host: '127.0.0.1', port: String(port), folder })
    transport = createSystemTransport({ loadAccess: async () => access, clock })
    await writeFile(path.join(folder, 'token'), 'first\n')
    await get()
    await replace('token', 'second\n')
    nowMs += 10_000
    await get()
    expect(api.seen.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer first',
      'Bearer second',
    ])
  })

  it('rereads its files at once after a 401', async () => {
    await listen()
    await writeFile(path.join(folder, 'token'), 'old')
    api.answer = (request, response) =>
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
    await listen()
    let connections = 0
    api.server.on('secureConnection', () => (connections += 1))
    for (let i = 0; i < 10; i += 1) await readJson((await get()).body)
    nowMs += 10_000
    await readJson((await get()).body)
    // An answer's connection is free a turn of the event loop after its end, so calls in a row may take turns on two.
    expect(connections).to.be.at.most(2)
  })

  it('refuses a server that the authority did not sign', async () => {
    await listen()
    const config = api.config('other.crt')
    await transport.close()
    transport = createSystemTransport({ loadAccess: async () => kubeconfigAccess(config), clock })
    const error: unknown = await get().catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/certificate|self-signed|issuer/i)
    expect(api.seen).to.deep.equal([])
  })

  it('serves on with what it has while new files do not fit together', async () => {
    await listen()
    await writeFile(path.join(folder, 'config'), '')
    let isBroken = false
    await transport.close()
    transport = createSystemTransport({
      async loadAccess() {
        if (isBroken) throw new Error('half written')
        return kubeconfigAccess(api.config())
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

  async function listen(): Promise<void> {
    nowMs = 0
    await writeFile(path.join(folder, 'token'), 'x')
    api = await startApiServer({ credentials: folder })
    transport = createSystemTransport({
      loadAccess: async () => kubeconfigAccess(api.config()),
      clock,
    })
  }

  function get(signal: AbortSignal = new AbortController().signal) {
    return transport({ method: 'GET', path: '/api/v1/namespaces/n/pods', signal })
  }

  /** Replaces a file as a projected volume does: a new file takes the name. */
  async function replace(name: string, text: string): Promise<void> {
    await writeFile(path.join(folder, 'next'), text)
    await rename(path.join(folder, 'next'), path.join(folder, name))
  }
})

async function makeCertificates(folder: string): Promise<void> {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const selfSigned = (name: string) =>
    openssl('req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, ...outputs(name))
  await Promise.all([selfSigned('ca'), selfSigned('client'), selfSigned('other')])
  const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'subjectAltName=IP:127.0.0.1']
  await openssl('req', '-x509', ...key, ...signing, '-subj', '/CN=server', ...outputs('server'))
}

function outputs(name: string): string[] {
  return ['-keyout', `${name}.key`, '-out', `${name}.crt`]
}
