import { once } from 'node:events'
import { Agent, createServer, request as requestTo } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { listenAt } from '../../support/http-server.ts'
import type { Cap } from './cap.ts'
import { createDistantObjects } from './distant-objects.ts'

/** The S3 server behind a capped line. Signatures hold: the proxy's own address is what is signed. */
export interface CappedSink {
  readonly endpoint: string
  /** PUT requests that were answered well, in the order of their ends. */
  readonly puts: readonly SinkPut[]
  /** Whether the bytes of a playlist's segments end here, as if storage were another machine. */
  distant(isDistant: boolean): void
  close(): Promise<void>
}

export interface SinkPut {
  /** Path of the URL, with bucket and key. */
  readonly path: string
  readonly startedMs: number
  readonly endedMs: number
}

export async function startCappedSink(options: {
  readonly address: string
  /** URL of the S3 server. */
  readonly behind: string
  readonly cap: Cap
}): Promise<CappedSink> {
  const { address, cap } = options
  const { hostname, port } = new URL(options.behind)
  const puts: SinkPut[] = []
  const objects = createDistantObjects()
  let isDistant = false
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  const { url: endpoint, close } = await listenAt(address, server)
  return {
    endpoint,
    puts,
    distant(wanted) {
      isDistant = wanted
    },
    async close() {
      await close()
      agent.destroy()
    },
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedMs = performance.now()
    const { method = 'GET', url = '/' } = request
    const { pathname, searchParams } = new URL(url, options.behind)
    const target = decodeURIComponent(pathname)
    if (isDistant && method === 'PUT' && target.endsWith('.ts')) {
      const bytes = await cap.drain(request)
      response.setHeader('etag', objects.add(target, bytes))
      response.end()
      puts.push({ path: target, startedMs, endedMs: performance.now() })
      return
    }
    const headers = { ...request.headers }
    // This server has answered it already.
    delete headers.expect
    const behind = requestTo({ hostname, port, method, path: url, headers, agent })
    const answered = once(behind, 'response') as Promise<[IncomingMessage]>
    const [[answer]] = await Promise.all([answered, pipeline(request, cap.stream(), behind)])
    if (method === 'GET' && searchParams.get('list-type') === '2') {
      const bucket = target.endsWith('/') ? target : `${target}/`
      const prefix = searchParams.get('prefix') ?? ''
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/xml' })
      response.end(objects.listed(await text(answer), bucket, prefix))
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    await pipeline(answer, response)
    if (method !== 'PUT' || answer.statusCode !== 200) return
    puts.push({ path: target, startedMs, endedMs: performance.now() })
  }
}
