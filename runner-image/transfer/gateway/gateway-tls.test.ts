import { expect } from 'chai'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { TestAuthority } from '../../../testing/tls/certificates.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import { AttemptEnded } from '../runtime/attempt-ended.ts'
import { gatewayRequests } from './request.ts'

describe('requests to a gateway over TLS', () => {
  let own: TestAuthority
  let other: TestAuthority
  let server: http.Server | https.Server
  before(async () => {
    own = await createTestAuthority('own')
    other = await createTestAuthority('other')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('requests over TLS succeed when the authority of the gateway is known', async () => {
    const ask = requestsTo(await secureServer(own), own.ca)
    expect(await ask).to.deep.equal({ status: 204, body: null })
  })

  it('requests over TLS succeed by either of two authorities, as before a new one signs', async () => {
    const ask = requestsTo(await secureServer(own), other.ca + own.ca)
    expect(await ask).to.deep.equal({ status: 204, body: null })
  })

  it('requests to a gateway are given up when another authority signed the certificate', async () => {
    const ask = requestsTo(await secureServer(own), other.ca)
    expect(await causeOf(ask)).to.match(/UNABLE_TO_VERIFY_LEAF_SIGNATURE/)
  })

  it('requests over TLS are given up when the gateway speaks plain HTTP', async () => {
    server = http.createServer((_, response) => void response.writeHead(204).end())
    const ask = requestsTo(await listen(server), own.ca)
    expect(await causeOf(ask)).to.match(/EPROTO|ERR_SSL/)
  })

  it('requests over TLS verify the certificate of one replica by the name of the Service', async () => {
    const service = 'https://localhost:1'
    const replica = new URL(await secureServer(own, '127.0.0.2')).host
    const ask = requestsTo(service, own.ca, replica)
    expect(await ask).to.deep.equal({ status: 204, body: null })
    const other = requestsTo('https://gateway.example:1', own.ca, replica)
    expect(await causeOf(other)).to.equal('ERR_TLS_CERT_ALTNAME_INVALID')
  })

  async function secureServer(authority: TestAuthority, host?: string): Promise<string> {
    const { cert, key } = await authority.issue()
    server = https.createServer({ cert, key }, (_, response) => void response.writeHead(204).end())
    return await listen(server, host)
  }

  async function listen(
    listening: http.Server | https.Server,
    host = '127.0.0.1',
  ): Promise<string> {
    listening.listen(0, host)
    await once(listening, 'listening')
    return `https://${host}:${(listening.address() as AddressInfo).port}`
  }
})

function requestsTo(url: string, ca: string, replica: string | null = null) {
  const ask = gatewayRequests({ url, readToken: async () => 'token', ca }, testEffects())
  return ask({ method: 'GET', path: '/v1/assignment', patienceMs: 10_000, replica })
}

async function causeOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).to.be.instanceOf(AttemptEnded)
  const { cause } = error as AttemptEnded
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
