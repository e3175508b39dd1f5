import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Effects } from '../../common/runtime/effects.ts'
import { refused, unavailable } from './calls/answers.ts'
import type { GatewayResponse } from './calls/answers.ts'
import type { Gateway } from './gateway.ts'
import { waiting } from './gateway-metrics.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { readJsonBody } from './parse-message.ts'

export interface RequestAnswers {
  /** Never rejects. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Bytes that the bodies of requests may take at present. */
  readonly bytesInFlight: () => number
}

/**
 * Reads requests and writes the answers of the gateway.
 * @param mostBytes of all bodies that are read or answered at a time
 */
export function answerRequests(
  deps: {
    readonly gateway: Gateway
    readonly effects: Effects
    readonly metrics: Pick<GatewayMetrics, 'answered' | 'limited'>
  },
  mostBytes: number,
): RequestAnswers {
  const { gateway, effects, metrics } = deps
  let bodies = 0
  return {
    bytesInFlight: () => bodies,
    async serve(request, response) {
      const began = effects.clock.monotonicMs()
      const { method = 'GET', url = '/' } = request
      const path = url.split('?', 1)[0] ?? url
      const closed = new AbortController()
      response.once('close', () => closed.abort())
      const answer = await answerTo(request, closed.signal)
      if (!request.complete) discard(request)
      const requestId = request.headers['x-request-id'] ?? effects.newId()
      send(response, answer, String(requestId))
      const seconds = (effects.clock.monotonicMs() - began) / 1_000
      // A request that waits for a command would hide how long the others take.
      const waits = url.includes('?waited=') ? waiting : ''
      metrics.answered({ route: `${method} ${path}${waits}`, code: answer.status, seconds })
    },
  }

  async function answerTo(request: IncomingMessage, closed: AbortSignal): Promise<GatewayResponse> {
    const { method = 'GET', url: path = '/' } = request
    const authorization = request.headers.authorization ?? null
    // A caller without a token must cost no memory: its body is not read.
    const admitted = await gateway.admit({ method, path, authorization })
    if ('refusal' in admitted) return admitted.refusal
    const limit = largestBody(path)
    const bytes = announcedBytes(request) ?? limit
    if (bytes > limit) return tooLarge(limit)
    if (bodies + bytes > mostBytes) {
      metrics.limited('bodies')
      return unavailable('The gateway is reading as many messages as it can hold; retry in 1 s')
    }
    bodies += bytes
    try {
      const body = await readJsonBody(request, limit)
      if (body.kind === 'too-large') return tooLarge(limit)
      if (body.kind === 'malformed') return refused(400, 'The message is not JSON')
      const { caller } = admitted
      return await gateway.handle({ caller, method, path, closed, body: body.value })
    } finally {
      bodies -= bytes
    }
  }

  function tooLarge(limit: number): GatewayResponse {
    metrics.limited('body')
    return refused(413, `The message is too large: at most ${limit} bytes on this route`)
  }
}

const kib = 1_024

/** Bytes. A result with all its log chunks at their largest would be 25 MiB; a runner sends 1 MiB at most. */
function largestBody(path: string): number {
  if (path === '/v1/progress') return 1_280 * kib
  return path.startsWith('/v1/uploads') ? 512 * kib : 8 * kib * kib
}

/** 0 without a body; null for a body of unknown length (RFC 9112, section 6.3). */
function announcedBytes({ headers }: IncomingMessage): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null
}

/**
 * Frees what arrives of a body that is not read. The garbage collector would do so later: until then a
 * thousand refused connections hold 64 KiB each.
 */
function discard(request: IncomingMessage): void {
  request.on('data', ({ buffer, byteLength }: Buffer) => {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
  })
}

function send(response: ServerResponse, answer: GatewayResponse, requestId: string): void {
  const isRead = response.req.complete
  const { status, body, retryAfterSeconds, closes = false } = answer
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const headers: Record<string, string | number> = {
    'x-request-id': requestId,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds }),
    ...(payload === null
      ? {}
      : { 'content-type': 'application/json', 'content-length': payload.length }),
    // An unread rest of a body would be parsed as the next request.
    ...(isRead && !closes ? {} : { connection: 'close' }),
  }
  response.writeHead(status, headers)
  response.end(payload ?? undefined)
}
