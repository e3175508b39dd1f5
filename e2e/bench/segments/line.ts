import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Agent, createServer, request as requestTo } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listenAt } from '../../../testing/support/http-server.ts'

/** A line that all connections of a direction share: a cap per connection would be beaten by ranges. */
export interface Line {
  /** MB/s. */
  rate: number
  stream(): Transform
}

/** A timer that fires late must not cost the line its rate: so much of it is made up for. */
const latestMs = 25

export function createLine(): Line {
  let freeAt = 0
  const line: Line = {
    rate: Number.POSITIVE_INFINITY,
    stream: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const now = performance.now()
          freeAt = Math.max(now - latestMs, freeAt) + chunk.length / (line.rate * 1_000)
          // Timers have whole milliseconds; what is shorter is made up for by the next chunk.
          if (freeAt - now < 1) done(null, chunk)
          else setTimeout(() => done(null, chunk), freeAt - now)
        },
      }),
  }
  return line
}

/** Serves a folder as a good origin does: ranges, a strong ETag, a length. */
export function startOrigin(address: string, folder: string, line: Line) {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  return listenAt(address, server)

  async function answer({ url = '', headers }: IncomingMessage, response: ServerResponse) {
    const file = path.join(folder, path.basename(url))
    const { size } = await stat(file)
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const start = Number(first ?? 0)
    const end = last ? Math.min(Number(last), size - 1) : size - 1
    response.writeHead(first === undefined ? 200 : 206, {
      'accept-ranges': 'bytes',
      etag: `"${size}"`,
      'content-length': end - start + 1,
      ...(first === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    await pipeline(createReadStream(file, { start, end }), line.stream(), response)
  }
}

/** The S3 server behind the line. Signatures hold: the address of this proxy is what is signed. */
export async function startStorage(address: string, behind: string, line: Line) {
  const { hostname, port } = new URL(behind)
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  const { url, close } = await listenAt(address, server)
  return { url, close: () => close().finally(() => agent.destroy()) }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request
    // This server has answered `expect` already.
    const { expect: _, ...headers } = request.headers
    const inner = requestTo({ hostname, port, method, path: target, headers, agent })
    const answered = once(inner, 'response') as Promise<[IncomingMessage]>
    const [[answer]] = await Promise.all([answered, pipeline(request, line.stream(), inner)])
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    await pipeline(answer, response)
  }
}
