import type http from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttp } from '../../runner/servers.ts'
import type { TestServer } from '../../runner/servers.ts'
import { createPace } from './pace.ts'

const partBytes = 16 * 1024 * 1024

export interface Sink extends TestServer {
  /** Bytes of bodies of PUT requests since the last call. */
  taken(): number
}

/**
 * Takes uploads and throws them away: by the calls of S3's multipart uploads, and by those of the
 * runner gateway in front of them.
 */
export async function startSink(bytesPerSecond: number | null): Promise<Sink> {
  const pace = createPace(bytesPerSecond)
  let taken = 0
  const server = await startHttp((request, response) => {
    void answer(request, response)
  })
  return {
    ...server,
    taken() {
      const bytes = taken
      taken = 0
      return bytes
    },
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '', server.url)
    if (request.method === 'PUT') {
      for await (const piece of request as AsyncIterable<Buffer>) {
        taken += piece.length
        await pace(request.socket, piece.length)
      }
      response.writeHead(200, { etag: '"1"' }).end()
      return
    }
    const body = await text(request)
    if (pathname.startsWith('/v1/')) {
      const reply = gatewayReply(pathname, body)
      if (reply === null) response.writeHead(204).end()
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
      return
    }
    const kind = searchParams.has('uploads') ? 'Initiate' : 'Complete'
    response.setHeader('content-type', 'application/xml')
    response.end(
      `<?xml version="1.0"?><${kind}MultipartUploadResult><Bucket>b</Bucket><Key>k</Key>` +
        `<UploadId>1</UploadId><ETag>"1"</ETag></${kind}MultipartUploadResult>`,
    )
  }

  function gatewayReply(path: string, body: string): unknown {
    const partUrl = (part: number): string => `${server.url}/b/k?partNumber=${String(part)}`
    if (path === '/v1/uploads') {
      const urls = Array.from({ length: 100 }, (_, index) => partUrl(index + 1))
      const grant = { kind: 'multipart', path: 'out.bin', uploadId: '1', partBytes, urls }
      return { grants: [grant] }
    }
    if (path !== '/v1/uploads/parts') return null
    const request: unknown = JSON.parse(body)
    const numbers =
      typeof request === 'object' && request !== null && 'partNumbers' in request
        ? request.partNumbers
        : []
    return { urls: Array.isArray(numbers) ? numbers.map(partUrl) : [] }
  }
}
