import type http from 'node:http'
import { text } from 'node:stream/consumers'
import type {
  Assignment,
  CompleteRequest,
  PartsRequest,
  ProgressAnswer,
  ProgressReport,
  Result,
  UploadRequest,
} from '../../common/gateway/messages.ts'
import { startHttp } from './servers.ts'
import type { TestServer } from './servers.ts'

/** A gateway and a store in one: it speaks the gateway's messages and keeps what is put. */
export interface TestGateway extends TestServer {
  readonly reports: ProgressReport[]
  readonly results: Result[]
  /** Requests for further URLs. */
  readonly partRequests: PartsRequest[]
  readonly calls: string[]
  /** Objects by path, in the order in which they were stored. */
  readonly objects: Map<string, Buffer>
  /** Parts in the order in which they came, also those that came twice. */
  readonly parts: readonly { readonly path: string; readonly part: number }[]
}

export interface GatewayScript {
  /** Absent if the test does not read it. */
  readonly assignment?: Assignment
  readonly partBytes?: number
  readonly progress?: () => ProgressAnswer
  /** Paths that differ in storage at the n-th result. */
  readonly differing?: (count: number) => string[]
  /** Takes the answer over where it returns true. */
  readonly intercept?: (
    call: { method: string; path: string; count: number },
    response: http.ServerResponse,
  ) => boolean
}

export async function startGateway(script: GatewayScript): Promise<TestGateway> {
  const reports: ProgressReport[] = []
  const results: Result[] = []
  const partRequests: PartsRequest[] = []
  const calls: string[] = []
  const objects = new Map<string, Buffer>()
  const bodies = new Map<string, Map<number, Buffer>>()
  const parts: { path: string; part: number }[] = []
  const counts = new Map<string, number>()

  const server = await startHttp((request, response) => {
    // A sender that gives a part up ends the connection in the middle of it.
    answer(request, response).catch(() => response.destroy())
  })
  const self = { ...server, reports, results, partRequests, calls, objects, parts }
  return self

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const url = new URL(request.url ?? '', server.url)
    const call = `${request.method ?? ''} ${url.pathname}`
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    calls.push(call)
    const method = request.method ?? ''
    if (script.intercept?.({ method, path: url.pathname, count }, response) === true) {
      request.resume()
      return
    }
    if (method === 'PUT') {
      put(url, await bytes(request))
      response.setHeader('etag', '"etag"')
      response.end()
      return
    }
    const body: unknown = method === 'POST' ? JSON.parse(await text(request)) : null
    const reply = replyTo(url.pathname, body)
    if (reply === null) response.writeHead(204).end()
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
  }

  function put(url: URL, body: Buffer): void {
    const [, kind, ...rest] = url.pathname.split('/')
    const path = rest.map(decodeURIComponent).join('/')
    if (kind === 'single') objects.set(path, body)
    else {
      const own = bodies.get(path) ?? new Map<number, Buffer>()
      const part = Number(url.searchParams.get('part'))
      own.set(part, body)
      bodies.set(path, own)
      parts.push({ path, part })
    }
  }

  function replyTo(path: string, body: unknown): unknown {
    switch (path) {
      case '/v1/assignment':
        return script.assignment
      case '/v1/progress':
        reports.push(body as ProgressReport)
        return script.progress?.() ?? { cancel: false }
      case '/v1/uploads':
        return { grants: (body as UploadRequest).files.map(grantFor) }
      case '/v1/uploads/parts': {
        const request = body as PartsRequest
        const { path: of, partNumbers } = request
        partRequests.push(request)
        return { urls: partNumbers.map((part) => partUrl(of, part)) }
      }
      case '/v1/uploads/complete': {
        const { path: of, parts: listed } = body as CompleteRequest
        const own = bodies.get(of)
        objects.set(
          of,
          Buffer.concat(listed.map(({ partNumber }) => own?.get(partNumber) ?? Buffer.alloc(0))),
        )
        return { etag: 'etag' }
      }
      case '/v1/ffmpeg-container-lost':
        return { kind: 'recorded', status: 'FAILED', errorStatus: 'OUT_OF_MEMORY' }
      default: {
        const result = body as Result
        results.push(result)
        const { outcome } = result
        const differing = script.differing?.(results.length) ?? []
        if (differing.length > 0) return { kind: 'differs', paths: differing }
        return {
          kind: 'recorded',
          status: outcome.status,
          errorStatus: outcome.status === 'FAILED' ? outcome.errorStatus : null,
        }
      }
    }
  }

  function grantFor({ path, sizeBytes }: UploadRequest['files'][number]) {
    const partBytes = script.partBytes ?? 16 * 1024 * 1024
    if (sizeBytes !== null && sizeBytes <= partBytes) {
      return { kind: 'single', path, url: `${server.url}/single/${inUrl(path)}`, headers: {} }
    }
    return { kind: 'multipart', path, uploadId: 'u1', partBytes, urls: [partUrl(path, 1)] }
  }

  function partUrl(path: string, part: number): string {
    return `${server.url}/part/${inUrl(path)}?part=${String(part)}`
  }
}

async function bytes(request: http.IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}

function inUrl(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
