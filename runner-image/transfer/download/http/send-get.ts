import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { Duplex } from 'node:stream'
import { connectionClosed, countedBody, parsedBody } from './response-body.ts'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Connection, ConnectionPool } from './connection-pool.ts'
import type { ResponseBody } from './response-body.ts'

export interface UrlResponse extends ResponseBody {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

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
  let found: IncomingMessage | null = null
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
          connected(null, carrier(connection))
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
    found = response
    // The error of a broken chunked body; its reader gets it.
    sent.on('error', (error) => response.destroy(error))
    // Without a reader it must not end the process.
    response.on('error', () => undefined)
  })

  /** Stream that the HTTP client takes for its connection. */
  function carrier(connection: Connection): Duplex {
    const { socket } = connection
    const headEnd = findHeadEnd()
    let attached = true
    const stream = new Duplex({
      read: () => undefined,
      write(bytes: Buffer, _encoding, done) {
        socket.write(bytes, (error) => {
          // Node's own error would only say that the socket is destroyed, which is true of both sides.
          done(error ? (socket.errored ?? connectionClosed()) : null)
        })
      },
      final(done) {
        done()
      },
      destroy(error, done) {
        if (attached) socket.destroy()
        done(error)
      },
    })

    function onHead(bytes: Buffer): void {
      // Bytes that come before the request are not an answer to it.
      if (stream.listenerCount('data') === 0) socket.destroy()
      const end = headEnd(bytes)
      toParser(bytes.subarray(0, end ?? bytes.length))
      const rest = bytes.subarray(end ?? bytes.length)
      if (found === null) {
        // After the head of an interim answer comes another one.
        if (rest.length > 0 && !stream.destroyed) onHead(rest)
        return
      }
      socket.pause()
      socket.off('data', onHead)
      const length = end === null ? null : lengthOf(found)
      resolve({
        status: found.statusCode ?? 0,
        headers: found.headers,
        ...(length === null ? parsed(found, rest) : counted(found, length, rest)),
      })
    }

    function parsed(response: IncomingMessage, rest: Buffer): ResponseBody {
      socket.on('data', toParser)
      if (rest.length > 0) toParser(rest)
      return parsedBody(socket, response, signal)
    }

    function counted(response: IncomingMessage, length: number, rest: Buffer): ResponseBody {
      attached = false
      socket.off('end', onEnd)
      socket.off('close', onClose)
      stream.destroy()
      const isKept =
        response.httpVersion === '1.1' && !/\bclose\b/i.test(response.headers.connection ?? '')
      const onBodyEnd = (): void => {
        if (isKept) pool.giveBack(url, connection)
        else socket.destroy()
      }
      return countedBody({ connection, length, early: rest, onEnd: onBodyEnd }, signal)
    }

    function toParser(bytes: Buffer): void {
      stream.emit('data', bytes)
    }
    function onEnd(): void {
      stream.push(null)
    }
    function onClose(): void {
      stream.destroy(socket.errored ?? undefined)
    }
    socket.on('data', onHead)
    socket.once('end', onEnd)
    socket.once('close', onClose)
    return stream
  }

  return {
    response: promise,
    destroy(error) {
      sent.destroy(error)
    },
  }
}

/** @returns null if only the parser can find the length of the body */
function lengthOf(response: IncomingMessage): number | null {
  const { 'content-length': length = '', 'transfer-encoding': coding } = response.headers
  // `content-length` includes bytes that the parser has read already.
  if (response.complete || response.readableLength > 0 || coding !== undefined) return null
  return /^[1-9]\d*$/.test(length) ? Number(length) : null
}

/** Some servers send 20 KiB of policies and cookies. */
const headBytes = 64 * 1024

const [cr, lf] = [13, 10]

/**
 * Searches for the empty line after the head of an answer, in bytes as they come. Lines end in CR LF or in LF.
 * @returns given the next bytes: the index behind the empty line, null if it is not among them
 */
export function findHeadEnd(): (bytes: Buffer) => number | null {
  let isLineEmpty = false
  return (bytes) => {
    for (const [index, byte] of bytes.entries()) {
      if (byte === lf && isLineEmpty) {
        isLineEmpty = false
        return index + 1
      }
      if (byte === lf) isLineEmpty = true
      else if (byte !== cr) isLineEmpty = false
    }
    return null
  }
}
