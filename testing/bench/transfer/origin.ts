import type http from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startHttp } from '../../runner/servers.ts'
import type { TestServer } from '../../runner/servers.ts'
import { createPace } from './pace.ts'

/** Serves a file of this length, whose bytes are not read, from memory. */
export async function startOrigin(options: {
  readonly bytes: number
  /** false = one connection is all that a client can use. */
  readonly ranges: boolean
  readonly bytesPerSecond: number | null
}): Promise<TestServer> {
  const pace = createPace(options.bytesPerSecond)
  const piece = Buffer.alloc(options.bytesPerSecond === null ? 1024 * 1024 : 64 * 1024, 7)
  return startHttp((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const head = { etag: '"1"', ...(options.ranges ? { 'accept-ranges': 'bytes' } : {}) }
    if (first === undefined || !options.ranges) {
      response.writeHead(200, { ...head, 'content-length': options.bytes })
      void send(response, options.bytes)
      return
    }
    const end = last ? Number(last) : options.bytes - 1
    response.writeHead(206, {
      ...head,
      'content-length': end - Number(first) + 1,
      'content-range': `bytes ${first}-${String(end)}/${String(options.bytes)}`,
    })
    void send(response, end - Number(first) + 1)
  })

  async function send(response: http.ServerResponse, bytes: number): Promise<void> {
    try {
      await pipeline(Readable.from(pieces(response, bytes), { objectMode: false }), response)
    } catch (error) {
      // The client has what it wanted of this connection.
      if (!response.destroyed) throw error
    }
  }

  async function* pieces(response: http.ServerResponse, bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      const next = piece.subarray(0, Math.min(left, piece.length))
      left -= next.length
      yield next
      if (response.socket !== null) await pace(response.socket, next.length)
    }
  }
}
