import { createServer } from 'node:http'
import { listenAt } from '../../support/http-server.ts'

/** Serves the files of attacks; any other request that is not a download of the service means that an attack has connected to this server. */
export interface AttackOrigin {
  readonly address: string
  /** @returns the URL */
  publish(name: string, content: Uint8Array): string
  /** Those other requests, by method and path. */
  readonly visits: readonly string[]
  close(): Promise<void>
}

export async function startAttackOrigin(address: string): Promise<AttackOrigin> {
  const published = new Map<string, Uint8Array>()
  const visits: string[] = []
  const server = createServer((request, response) => {
    const content = published.get(request.url ?? '')
    if (content === undefined && request.headers['user-agent']?.startsWith('cloud-ffmpeg/')) {
      // The download of a playlist fetches the names in it from the server of the playlist; FFmpeg must not.
      response.writeHead(404).end()
      return
    }
    if (content === undefined) {
      visits.push(`${request.method ?? ''} ${request.url ?? ''}`)
      request.resume()
      response.end('CANARY of the listener')
      return
    }
    response.writeHead(200, { 'content-length': content.byteLength }).end(content)
  })
  // a connection without HTTP is a visit, too
  server.on('clientError', (_error, socket) => {
    visits.push('a connection without HTTP')
    socket.destroy()
  })
  const { url, close } = await listenAt(address, server)
  return {
    address: new URL(url).host,
    publish(name, content) {
      const path = `/published/${String(published.size)}/${name}`
      published.set(path, content)
      return `${url}${path}`
    },
    visits,
    close,
  }
}
