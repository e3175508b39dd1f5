import type http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { startHttp } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'

const partBytes = 16 * 1024 * 1024

/**
 * Serves a file of this length from memory, with ranges, and throws uploads away: as an origin, as S3 and as the runner's
 * gateway in front of it.
 * @param rate bytes a second of each connection; null = as fast as it goes
 */
export async function startPeer(bytes: number, rate: number | null): Promise<TestServer> {
  const piece = Buffer.alloc(rate === null ? 1024 * 1024 : 64 * 1024, 7)
  const server = await startHttp((request, response) => {
    const answer = { GET: serve, HEAD: serve, PUT: take }[request.method ?? ''] ?? grant
    void answer(request, response)
  })
  return server

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(first ?? 0)
    const end = last ? Number(last) : bytes - 1
    response.writeHead(first === undefined ? 200 : 206, {
      etag: '"1"',
      'accept-ranges': 'bytes',
      'content-length': end - start + 1,
      ...(first === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${bytes}` }),
    })
    const pace = createPace(rate)
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let left = end - start + 1; left > 0; left -= piece.length) {
        yield piece.subarray(0, Math.min(left, piece.length))
        await pace(piece.length)
      }
    }
    // A client that has what it wanted closes its connection.
    await pipeline(pieces, response).catch(() => undefined)
  }

  async function take(request: http.IncomingMessage, response: http.ServerResponse) {
    const pace = createPace(rate)
    for await (const chunk of request as AsyncIterable<Buffer>) await pace(chunk.length)
    response.writeHead(200, { etag: '"1"' }).end()
  }

  async function grant(request: http.IncomingMessage, response: http.ServerResponse) {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url ?? '', server.url)
    const kind = searchParams.has('uploads') ? 'Initiate' : 'Complete'
    const xml =
      `<?xml version="1.0"?><${kind}MultipartUploadResult><Bucket>b</Bucket><Key>k</Key>` +
      `<UploadId>1</UploadId><ETag>"1"</ETag></${kind}MultipartUploadResult>`
    const isGateway = pathname.startsWith('/v1/')
    response.end(isGateway ? JSON.stringify(fromGateway(pathname, body)) : xml)
  }

  function fromGateway(pathname: string, body: string): unknown {
    const partUrl = (part: number): string => `${server.url}/b/k?partNumber=${part}`
    const urls = Array.from({ length: 100 }, (_, index) => partUrl(index + 1))
    const grant = { kind: 'multipart', path: 'out.bin', uploadId: '1', partBytes, urls }
    if (pathname === '/v1/uploads') return { grants: [grant] }
    const { partNumbers = [] } = JSON.parse(body) as { partNumbers?: number[] }
    return { urls: partNumbers.map(partUrl), etag: '"1"' }
  }
}

/** Waits as long as the bytes of a connection are ahead of its rate. */
function createPace(rate: number | null): (bytes: number) => Promise<void> {
  const startedAt = performance.now()
  let sent = 0
  return async (bytes) => {
    sent += bytes
    const aheadMs = rate === null ? 0 : (sent / rate) * 1000 - (performance.now() - startedAt)
    if (aheadMs > 5) await wait(aheadMs)
  }
}
