import { STATUS_CODES } from 'node:http'
import { problemBody } from '../http/refusal-codes.ts'
import { jsonLine } from '../http/errors.ts'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const details: Readonly<Record<number, string>> = {
  431: 'The headers of the request, its URL included, are larger than 16 KB: send less of them',
  413: 'The chunk extensions of the body are too large: send none',
  408: 'The request did not arrive in time: send it again',
  400: 'The request is not HTTP that this server reads',
}

/** Answers requests that the parser refuses as all others; Node.js by itself sends no body. */
export function answerUnreadable(server: Server): Server {
  return server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy(error)
      return
    }
    const status = statuses[error.code ?? ''] ?? 400
    const code = status === 400 ? 'malformed_request' : undefined
    const body = jsonLine(problemBody(status, details[status] ?? '', code))
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  })
}

/** A second answer within the first would be read as a part of it; Node.js reads the same field. */
function isAnswering(socket: Duplex): boolean {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return (
    typeof message === 'object' && message !== null && Reflect.get(message, 'headersSent') === true
  )
}
