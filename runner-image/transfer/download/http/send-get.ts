import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { carryResponse } from './carry-response.ts'
import type { UrlResponse } from './carry-response.ts'
import type { ConnectionPool } from './connection-pool.ts'

export interface SentGet {
  /** Resolves at the end of the head. @throws the connection's error, an AbortError */
  readonly response: Promise<UrlResponse>
  /** Gives it up. */
  destroy(error: Error): void
}

/**
 * Requests a URL. Node's HTTP client writes the request and reads the head of the answer; the body
 * bypasses it if its length is known.
 */
export function sendGet(
  url: URL,
  headers: OutgoingHttpHeaders,
  pool: ConnectionPool,
  signal: AbortSignal,
): SentGet {
  const { promise, resolve, reject } = Promise.withResolvers<UrlResponse>()
  let head: IncomingMessage | null = null
  const exchange = { url, pool, signal, head: () => head, onResponse: resolve }
  const client = url.protocol === 'https:' ? https : http
  const sent = client.get(url, {
    headers: { ...headers, connection: 'keep-alive' },
    signal,
    // Cameras and old servers end lines in LF alone. A body is never shared, so that nothing can be smuggled.
    insecureHTTPParser: true,
    maxHeaderSize: headBytes,
    createConnection(_options, connected) {
      pool.take(url).then(
        (connection) => {
          connected(null, carryResponse(connection, exchange))
        },
        (error: unknown) => {
          connected(error instanceof Error ? error : new Error('unknown'), new net.Socket())
        },
      )
      return undefined
    },
  })
  sent.on('error', reject)
  sent.once('response', (response) => {
    head = response
    // The error of a broken chunked body; its reader gets it.
    sent.on('error', (error) => response.destroy(error))
    // Without a reader it must not end the process.
    response.on('error', () => undefined)
  })
  return {
    response: promise,
    destroy(error) {
      sent.destroy(error)
    },
  }
}

/** Some servers send 20 KiB of policies and cookies. */
const headBytes = 64 * 1024
