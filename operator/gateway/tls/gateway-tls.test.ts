import { expect } from 'chai'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import { X509Certificate } from 'node:crypto'
import { Registry } from 'prom-client'
import { gatewayAudience } from '../../../common/domain/resource-names.ts'
import { loggerWith, silentLogger } from '../../../common/runtime/logger.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
import { createMemoryStore } from '../../../testing/simulator/memory-store/memory-store.ts'
import { createFakeStorage } from '../../../testing/simulator/world/fake-storage.ts'
import { gatewaySettings, namespace } from '../../../testing/simulator/world/settings.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { StillEffects } from '../../../testing/support/still-effects.ts'
import type { IssuedCertificate, TestAuthority } from '../../../testing/tls/certificates.ts'
import { createWarmRunnerWaiters } from '../../warm/warm-runner-waiters.ts'
import { createGateway } from '../gateway.ts'
import { createRunnerIdentity } from '../identity/runner-identity.ts'
import { createGatewayMetrics } from '../gateway-metrics.ts'
import { createGatewayServer } from '../server.ts'
import type { GatewayServer } from '../server.ts'
import { createGatewayTls } from './gateway-tls.ts'
import type { GatewayTls } from './gateway-tls.ts'

describe('the gateway over TLS', () => {
  let folder: string
  let own: TestAuthority
  let other: TestAuthority
  let server: GatewayServer
  let effects: StillEffects
  let tls: GatewayTls
  let logged: string[]
  before(async () => {
    own = await createTestAuthority('own')
    other = await createTestAuthority('other')
  })
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-tls-'))
  })
  afterEach(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('answers clients that know its authority', async () => {
    await serve(await own.issue())
    // Without a token.
    expect((await get({ ca: own.ca })).status).to.equal(401)
  })

  it('the gateway is refused by clients that know another authority', async () => {
    await serve(await own.issue())
    expect(await codeOf(get({ ca: other.ca }))).to.equal('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  })

  it('closes connections of plain HTTP', async () => {
    await serve(await own.issue())
    const request = http.get({ host: '127.0.0.1', port: server.port(), path: '/v1/assignment' })
    const [error] = (await once(request, 'error').catch((thrown: unknown) => [thrown])) as unknown[]
    expect(error).to.have.property('code').that.is.oneOf(['ECONNRESET', 'HPE_INVALID_CONSTANT'])
  })

  it('refuses versions of TLS before 1.3, also after a renewal', async () => {
    await serve(await own.issue())
    const refusedVersion = ['EPROTO', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION']
    const old = { ca: own.ca, maxVersion: 'TLSv1.2' as const }
    expect(await codeOf(get(old))).to.be.oneOf(refusedVersion)
    const renewed = await own.issue()
    await replaceFiles(renewed)
    await presents(renewed)
    expect(await codeOf(get(old))).to.be.oneOf(refusedVersion)
  })

  it('presents the certificate of the replaced files, and keeps its open connections', async () => {
    const before = await own.issue()
    await serve(before)
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: own.ca })
    const first = await get({ agent })
    expect(first.certificate).to.equal(fingerprintOf(before))
    const after = await other.issue()
    await replaceFiles(after)
    await presents(after)
    // The connection is the same: `agent` does not know the other authority, so a new one would fail.
    expect((await get({ agent })).socket).to.equal(first.socket)
    agent.destroy()
  })

  it('gives new runners the authorities of the replaced files, without another certificate', async () => {
    const issued = await own.issue()
    await serve(issued)
    expect(tls.ca()).to.equal(own.ca)
    await replaceFiles({ ...issued, ca: own.ca + other.ca })
    await until(async () => {
      effects.advance(10_000)
      return tls.ca() === own.ca + other.ca
    }, 'the new authority')
    expect((await get({ ca: own.ca })).certificate).to.equal(fingerprintOf(issued))
  })

  it('keeps its certificate while the files do not belong together', async () => {
    const issued = await own.issue()
    await serve(issued)
    const next = await own.issue()
    await replaceFiles({ ...next, key: issued.key })
    await until(async () => {
      effects.advance(10_000)
      return logged.some((line) => line.includes('tls.key must be the private key'))
    }, 'a line in the log')
    expect((await get({ ca: own.ca })).certificate).to.equal(fingerprintOf(issued))
    await replaceFiles(next)
    await presents(next)
  })

  it('the gateway does not start without its files', async () => {
    await serve(await own.issue())
    await rm(path.join(folder, 'ca.crt'))
    const logger = silentLogger
    expect(() => createGatewayTls(folder, { effects, logger })).to.throw(
      /ca\.crt: the Secret needs/,
    )
  })

  async function serve(issued: IssuedCertificate): Promise<void> {
    await replaceFiles(issued)
    effects = stillEffects()
    logged = []
    const logger = loggerWith({}, (...line) => logged.push(JSON.stringify(line)))
    const { clock } = effects
    tls = createGatewayTls(folder, { effects, logger })
    const registry = new Registry()
    const metrics = createGatewayMetrics(registry)
    const keys = { issuer: 'https://cluster.example', keys: { keys: [] } }
    server = createGatewayServer(
      {
        gateway: createGateway({
          identity: createRunnerIdentity({
            clusterKeys: { load: () => Promise.resolve(keys) },

            clock,
            audience: gatewayAudience,
            namespaces: [namespace],
            serviceAccount: 'runner',
            namespaceOf: () => null,
          }),
          store: createMemoryStore({ clock }),
          objects: createFakeStorage(),
          pods: { podByUid: () => null, subscribe: () => () => undefined },
          notify: () => undefined,
          lifecycle: { stage: () => undefined },
          warmRunners: {
            waiters: createWarmRunnerWaiters(effects.clock),
            place: () => ({ kind: 'here' }),
          },
          settings: gatewaySettings,
          onRefusal: metrics.limited,
          effects,
          logger: silentLogger,
        }),
        effects,
        metrics,
        logger: silentLogger,
      },
      {
        port: 0,
        host: '127.0.0.1',
        maxConnections: 10,
        connectionsPerAddress: 4,
        inFlightMbytes: 64,
        tls,
      },
    )
    await server.start()
  }

  async function replaceFiles({ cert, key, ca }: IssuedCertificate): Promise<void> {
    const files = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder, 'next'), text)
      await rename(path.join(folder, 'next'), path.join(folder, name))
    }
  }

  async function presents(issued: IssuedCertificate): Promise<void> {
    const ca = own.ca + other.ca
    await until(async () => {
      effects.advance(10_000)
      // Each look is a connection of its own.
      return (await get({ ca })).certificate === fingerprintOf(issued)
    }, 'the new certificate')
  }

  function get(options: https.RequestOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number | undefined
      certificate: string
      socket: TLSSocket
    }>()
    const place = { host: '127.0.0.1', port: server.port(), path: '/v1/assignment' }
    const request = https.get({ agent: false, ...place, ...options }, (response) => {
      const socket = response.socket as TLSSocket
      const certificate = socket.getPeerCertificate().fingerprint256
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode, certificate, socket }))
    })
    request.once('error', reject)
    return promise
  }
})

function fingerprintOf({ cert }: IssuedCertificate): string {
  return new X509Certificate(cert).fingerprint256
}

async function codeOf(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Error && 'code' in error ? error.code : error
}
