import { expect } from 'chai'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { TestAuthority } from '../../../testing/tls/certificates.ts'
import { openAhead } from './open-ahead.ts'

describe('a connection that is opened ahead', () => {
  let authority: TestAuthority
  let server: http.Server | https.Server
  let sockets: Socket[]
  before(async () => {
    authority = await createTestAuthority('own')
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })

  it('a connection that is opened ahead is taken by the first request, and kept for the next', async () => {
    const url = await start(http.createServer(answer))
    const agent = new http.Agent({ keepAlive: true })
    openAhead(agent, url)
    expect(await opened(1)).to.equal(1)
    await request(url, agent)
    await request(url, agent)
    expect(sockets).to.have.length(1)
    agent.destroy()
  })

  it('a connection that is opened ahead has done the handshake of TLS, and verified the certificate', async () => {
    const { cert, key } = await authority.issue()
    const url = await start(https.createServer({ cert, key }, answer), 'https')
    const agent = new https.Agent({ keepAlive: true, ca: authority.ca })
    const secured = once(server, 'secureConnection')
    openAhead(agent, url)
    await secured
    await request(url, agent)
    expect(sockets).to.have.length(1)
    agent.destroy()
  })

  it('a connection that is opened ahead is not used when its certificate is not trusted', async () => {
    const { cert, key } = await authority.issue()
    const url = await start(https.createServer({ cert, key }, answer), 'https')
    const agent = new https.Agent({ keepAlive: true })
    const failed = once(server, 'tlsClientError')
    openAhead(agent, url)
    await failed
    const error = await request(url, agent).catch((caught: unknown) => caught)
    expect(error).to.have.property('code', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    agent.destroy()
  })

  it('a connection is replaced when the server has closed it, and left alone by other hosts', async () => {
    const url = await start(http.createServer(answer))
    const agent = new http.Agent({ keepAlive: true })
    const ends: Promise<unknown>[] = []
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (...args) => {
      const socket = connect(...args)
      if (socket) ends.push(once(socket, 'close'))
      return socket
    }
    openAhead(agent, url)
    await opened(1)
    const other = new URL(url)
    other.hostname = 'localhost'
    await request(other, agent)
    expect(sockets).to.have.length(2)
    sockets[0]?.destroy()
    await ends[0]
    await request(url, agent)
    expect(sockets).to.have.length(3)
    agent.destroy()
  })

  async function start(starting: http.Server | https.Server, scheme = 'http'): Promise<URL> {
    sockets = []
    server = starting
    server.on('connection', (socket: Socket) => sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  /** Until so many connections are there. */
  async function opened(count: number): Promise<number> {
    while (sockets.length < count) await once(server, 'connection')
    return sockets.length
  }

  async function request(url: URL, agent: http.Agent): Promise<void> {
    const sent = (url.protocol === 'https:' ? https : http).request(url, { agent })
    sent.end()
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage]
    await text(response)
  }
})

function answer(_: http.IncomingMessage, response: http.ServerResponse): void {
  response.end('ok')
}
