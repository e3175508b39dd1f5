import { Duplex } from 'node:stream'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, ConnectionPool } from './connection-pool.ts'
import { connectionClosed, countedBody, parsedBody } from './response-body.ts'
import type { ResponseBody } from './response-body.ts'
import { createHeadEndFinder } from './head-end.ts'

export interface UrlResponse extends ResponseBody {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

export interface Exchange {
  readonly url: URL
  readonly pool: ConnectionPool
  readonly signal: AbortSignal
  /** Head of the answer as Node's parser has read it by now. */
  readonly head: () => IncomingMessage | null
  readonly onResponse: (response: UrlResponse) => void
}

/**
 * Stream that Node's HTTP client takes for its connection: it carries the request and the head of the answer, and the body
 * if only the parser can find its end. Another body is read from the connection itself.
 */
export function carryResponse(connection: Connection, exchange: Exchange): Duplex {
  const { socket } = connection
  const { url, pool, signal, head, onResponse } = exchange
  const findHeadEnd = createHeadEndFinder()
  let attached = true
  const stream = requestStream(socket, () => attached)
  socket.on('data', onHead)
  socket.once('end', onEnd)
  socket.once('close', onClose)
  return stream

  function onHead(bytes: Buffer): void {
    // Bytes that come before the request are not an answer to it.
    if (stream.listenerCount('data') === 0) socket.destroy()
    const end = findHeadEnd(bytes)
    toParser(bytes.subarray(0, end ?? bytes.length))
    const rest = bytes.subarray(end ?? bytes.length)
    const found = head()
    if (found === null) {
      // After the head of an interim answer comes another one.
      if (rest.length > 0 && !stream.destroyed) onHead(rest)
      return
    }
    socket.pause()
    socket.off('data', onHead)
    const length = end === null ? null : lengthOf(found)
    onResponse({
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
}

/** @param isAttached whether the connection ends with the stream */
function requestStream(socket: Socket, isAttached: () => boolean): Duplex {
  return new Duplex({
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
      if (isAttached()) socket.destroy()
      done(error)
    },
  })
}

/** @returns null if only the parser can find the length of the body */
function lengthOf(response: IncomingMessage): number | null {
  const { 'content-length': length = '', 'transfer-encoding': coding } = response.headers
  // `content-length` includes bytes that the parser has read already.
  if (response.complete || response.readableLength > 0 || coding !== undefined) return null
  return /^[1-9]\d*$/.test(length) ? Number(length) : null
}
