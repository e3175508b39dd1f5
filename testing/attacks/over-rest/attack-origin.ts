import { once } from 'node:events'
import { createServer } from 'node:http'

/** Serves what attacks are made of; every other request is one that an attack has led here. */
export interface AttackOrigin {
  readonly address: string
  /** @returns the URL */
  publish(name: string, content: Uint8Array): string
  /** Requests for what was not published, by method and path. */
  readonly visits: readonly string[]
  close(): Promise<void>
}

export async function startAttackOrigin(address: string): Promise<AttackOrigin> {
  const published = new Map<string, Uint8Array>()
  const visits: string[] = []
  const server = createServer((request, response) => {
    const content = published.get(request.url ?? '')
    if (content === undefined) {
      visits.push(`${request.method ?? ''} ${request.url ?? ''}`)
      request.resume()
      response.end('CANARY of the listener')
      return
    }
    response.writeHead(200, { 'content-length': content.byteLength }).end(content)
  })
  // a connection that is not HTTP has been led here, too
  server.on('clientError', (_error, socket) => {
    visits.push('no HTTP')
    socket.destroy()
  })
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  const host = `${address}:${String(bound.port)}`
  return {
    address: host,
    publish(name, content) {
      const path = `/published/${String(published.size)}/${name}`
      published.set(path, content)
      return `http://${host}${path}`
    },
    visits,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
