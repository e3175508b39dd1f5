import http from 'node:http'
import net from 'node:net'
import type { AddressInfo, Server } from 'node:net'

/** A server on the loopback interface that a test starts and ends. */
export interface TestServer {
  readonly port: number
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  close(): Promise<void>
}

export async function startHttp(
  handler: (request: http.IncomingMessage, response: http.ServerResponse) => void,
): Promise<TestServer> {
  const server = http.createServer(handler)
  const port = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.closeAllConnections()
      return closed(server)
    },
  }
}

/** A server that speaks bytes, for answers that no HTTP library would send. */
export async function startRaw(handler: (socket: net.Socket) => void): Promise<TestServer> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    handler(socket)
  })
  const port = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return closed(server)
    },
  }
}

export async function listen(server: Server, path?: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  const address = server.address()
  return isAddress(address) ? address.port : 0
}

export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
