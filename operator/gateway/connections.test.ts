import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { boundConnections } from './connections.ts'

describe('connections of one address', () => {
  let server: Server
  let closed: string[]
  let held: ServerResponse[]
  let sockets: Socket[]

  beforeEach(async () => {
    closed = []
    held = []
    sockets = []
    // Answers at once, or when the test says so.
    server = createServer((request, response) => {
      if (request.url === '/held') held.push(response)
      else response.end('ok')
    })
    boundConnections(server, 2, (address) => closed.push(address))
    server.listen(0)
    await once(server, 'listening')
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = server.address() as AddressInfo
    const accepted = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined).resume()
    await accepted
    return socket
  }

  /** @returns a connection whose request is under way */
  async function busy(): Promise<Socket> {
    const socket = await open()
    const arrived = once(server, 'request')
    socket.write('GET /held HTTP/1.1\r\nhost: x\r\n\r\n')
    await arrived
    return socket
  }

  async function answered(socket: Socket): Promise<boolean> {
    const data = once(socket, 'data').then(() => true)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    return Promise.race([data, once(socket, 'close').then(() => false)])
  }

  it('closes a new one when all are busy, and serves those of other addresses', async () => {
    await busy()
    await busy()
    const third = await open()
    expect(await answered(third)).to.equal(false)
    expect(closed).to.have.lengthOf(1)
    expect(closed[0]).to.contain('127.0.0.1')
    expect(await answered(await open('127.0.0.2'))).to.equal(true)
  })

  it('closes the idle one that was used longest ago in place of a new one', async () => {
    const [first, second] = [await open(), await open()]
    expect(await answered(first)).to.equal(true)
    const end = once(second, 'close')
    expect(await answered(await open())).to.equal(true)
    await end
    expect(await answered(first)).to.equal(true)
    expect(closed).to.deep.equal([])
  })

  it('takes one again when another has closed', async () => {
    const first = await busy()
    await busy()
    const end = once(held[0] as ServerResponse, 'close')
    first.destroy()
    await end
    expect(await answered(await open())).to.equal(true)
    expect(closed).to.deep.equal([])
  })
})
