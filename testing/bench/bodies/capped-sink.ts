import { once } from 'node:events'
import { Agent, createServer, request as requestTo } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { listenAt } from '../../support/http-server.ts'
import type { Cap } from './cap.ts'

/** The S3 server behind a capped line. Signatures hold: the proxy's own address is what is signed. */
export interface CappedSink {
  readonly endpoint: string
  /** PUT requests that were answered well, in the order of their ends. */
  readonly puts: readonly SinkPut[]
  close(): Promise<void>
}

export interface SinkPut {
  /** Of the URL, with bucket and key. */
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
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  const { url: endpoint, close } = await listenAt(address, server)
  return {
    endpoint,
    puts,
    async close() {
      await close()
      agent.destroy()
    },
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedMs = performance.now()
    const { method = 'GET', url = '/' } = request
    const headers = { ...request.headers }
    // This server has answered it already.
    delete headers.expect
    const behind = requestTo({ hostname, port, method, path: url, headers, agent })
    const answered = once(behind, 'response') as Promise<[IncomingMessage]>
    const [[answer]] = await Promise.all([answered, pipeline(request, cap.stream(), behind)])
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    await pipeline(answer, response)
    if (method !== 'PUT' || answer.statusCode !== 200) return
    const { pathname } = new URL(url, options.behind)
    puts.push({ path: decodeURIComponent(pathname), startedMs, endedMs: performance.now() })
  }
}
