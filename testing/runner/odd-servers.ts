import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import type http from 'node:http'
import { until } from '../support/until.ts'
import type { OriginHandler } from './fetch-fixture.ts'

/** Servers as people meet them, one behaviour a function. Each serves a file that a plain GET downloads. */

const etag = '"v1"'

/** Serves files by their paths with queries, and answers 404 to all others. */
export function serveFiles(
  files: Readonly<Record<string, string | Buffer>>,
  redirects: Readonly<Record<string, string>> = {},
): OriginHandler {
  return ({ url = '' }, response) => {
    const target = redirects[url]
    const file = files[url]
    if (target === undefined) response.writeHead(file === undefined ? 404 : 200).end(file)
    else response.writeHead(302, { location: target }).end()
  }
}

/** Serves ranges as RFC 9110 says. */
export function rangeServer(file: Buffer, validator = etag): OriginHandler {
  return (request, response) => {
    const range = rangeOf(request)
    if (range === null || request.headers['if-range'] !== validator) {
      response.writeHead(200, wholeHead(file, validator)).end(file)
    } else sendRange(response, file, range, { etag: validator })
  }
}

/** Announces ranges, and answers each request with the whole file. */
export function ignoresRanges(file: Buffer): OriginHandler {
  return (_request, response) => response.writeHead(200, wholeHead(file)).end(file)
}

/** Has one connection for a client, and refuses more: nginx's limit_conn, a slow NAS. */
export function oneConnection(file: Buffer, refusal: number | 'reset'): OriginHandler {
  let open = 0
  return async (request, response) => {
    if (open > 0) return refuse(response, refusal)
    open += 1
    response.once('close', () => {
      open -= 1
    })
    await slowly(response, file, rangeOf(request))
  }
}

/** Takes one download, and refuses all requests after it: signed links of file services. */
export function onceOnly(file: Buffer, status: number): OriginHandler {
  let requests = 0
  return async (_request, response) => {
    requests += 1
    if (requests > 1) response.writeHead(status).end()
    else await slowly(response, file, null)
  }
}

/** Takes one download, breaks it off, and refuses all requests after it. */
export function onceOnlyAndBroken(file: Buffer, status: number): OriginHandler {
  let requests = 0
  return (_request, response) => {
    requests += 1
    if (requests > 1) return response.writeHead(status).end()
    response.writeHead(200, wholeHead(file))
    return response.write(file.subarray(0, file.length / 2), () => response.destroy())
  }
}

/** Answers ranges with other bytes than those that were requested. */
export function wrongRanges(
  file: Buffer,
  wrong: 'length' | 'validator' | 'offset' | 'total' | 'no validator' | 'multipart',
): OriginHandler {
  return async (request, response) => {
    const range = rangeOf(request)
    if (range === null) return slowly(response, file, null)
    const [first, end] = range
    switch (wrong) {
      case 'length':
        return sendRange(response, file, [first, Math.floor((first + end) / 2)], { etag })
      case 'offset':
        return sendRange(response, file, [first + 1, end], { etag })
      case 'validator':
        return sendRange(response, Buffer.alloc(file.length), range, { etag: '"v2"' })
      case 'no validator':
        return sendRange(response, Buffer.alloc(file.length), range, {})
      case 'total':
        return sendRange(response, Buffer.alloc(file.length + 1), range, { etag })
      case 'multipart':
        response
          .writeHead(206, { 'content-type': 'multipart/byteranges; boundary=b', etag })
          .end('--b')
    }
  }
}

/** Closes each connection that carries a range, in the middle of it. */
export function breaksRanges(file: Buffer): OriginHandler {
  return async (request, response) => {
    const range = rangeOf(request)
    if (range === null) return slowly(response, file, null)
    const [first, end] = range
    response.writeHead(206, rangeHead(file, range, { etag }))
    response.write(file.subarray(first, Math.floor((first + end) / 2)), () => response.destroy())
  }
}

/** Serves two parts by range, and then no more. */
export function tiresOfRanges(file: Buffer): OriginHandler {
  let served = 0
  return async (request, response) => {
    const range = rangeOf(request)
    if (range === null) return slowly(response, file, null)
    served += 1
    if (served > 2) refuse(response, 429)
    else sendRange(response, file, range, { etag })
  }
}

/** Refuses clients that do not say what they are, as firewalls of web applications do. */
export function wantsClientHeaders(file: Buffer): OriginHandler {
  return ({ headers }, response) => {
    const { accept, 'user-agent': agent = '', 'accept-encoding': encoding } = headers
    const known = accept === '*/*' && /^cloud-ffmpeg\/\d/.test(agent) && encoding === 'identity'
    response.writeHead(known ? 200 : 403).end(known ? file : undefined)
  }
}

/** Compresses, although the request accepts plain bytes alone. */
export function compresses(file: Buffer, encoding: string): OriginHandler {
  const packed = compressors[encoding]?.(file) ?? file
  return (_request, response) => {
    const head = { 'content-encoding': encoding, 'content-length': packed.length, etag }
    response.writeHead(200, { ...head, 'accept-ranges': 'bytes' }).end(packed)
  }
}

const compressors: Readonly<Record<string, (file: Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  zstd: zstdCompressSync,
}

/** Sends the bytes of a Location as they are. */
export function redirectsTo(location: Buffer, file: Buffer): OriginHandler {
  return (request, response) => {
    if (request.url !== '/start') return response.end(file)
    response.socket?.write(
      Buffer.concat([
        Buffer.from('HTTP/1.1 302 Found\r\nLocation: '),
        location,
        Buffer.from('\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      ]),
    )
    return response.socket?.end()
  }
}

function wholeHead(file: Buffer, validator = etag): http.OutgoingHttpHeaders {
  return { etag: validator, 'accept-ranges': 'bytes', 'content-length': file.length }
}

/** First byte, and that behind the last. */
type Range = readonly [first: number, end: number]

function rangeOf({ headers }: http.IncomingMessage): [number, number] | null {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  return first === undefined ? null : [Number(first), last ? Number(last) + 1 : Infinity]
}

function rangeHead(
  file: Buffer,
  [first, end]: Range,
  validator: { readonly etag?: string },
): http.OutgoingHttpHeaders {
  const last = Math.min(end, file.length) - 1
  return {
    ...validator,
    'content-range': `bytes ${String(first)}-${String(last)}/${String(file.length)}`,
  }
}

function sendRange(
  response: http.ServerResponse,
  file: Buffer,
  range: Range,
  validator: { readonly etag?: string },
): void {
  response.writeHead(206, rangeHead(file, range, validator)).end(file.subarray(...range))
}

function refuse(response: http.ServerResponse, refusal: number | 'reset'): void {
  if (refusal === 'reset') response.socket?.resetAndDestroy()
  else response.writeHead(refusal).end()
}

/** Sends piece by piece, so that other requests come and are answered before the end. */
async function slowly(
  response: http.ServerResponse,
  file: Buffer,
  range: Range | null,
): Promise<void> {
  const part = range === null ? file : file.subarray(...range)
  if (range === null) response.writeHead(200, wholeHead(file))
  else response.writeHead(206, rangeHead(file, range, { etag }))
  for (let position = 0; position < part.length; position += step) {
    response.write(part.subarray(position, position + step))
    await until(async () => response.writableLength === 0 || response.destroyed)
  }
  response.end()
}

const step = 512 * 1024
