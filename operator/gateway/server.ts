import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import type { Registry } from 'prom-client'
import type { Effects } from '../../common/runtime/effects.ts'
import { boundConnections } from './connections.ts'
import { refused, unavailable } from './calls/answers.ts'
import type { GatewayResponse } from './calls/answers.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayLimits } from './limit-metrics.ts'
import { createServerMetrics, waiting } from './server-metrics.ts'
import { readJsonBody } from './parse-message.ts'
import type { GatewayTls } from './tls/gateway-tls.ts'

export interface GatewayServerOptions {
  /** 0 = any free one. */
  readonly port: number
  readonly host?: string
  /** Further connections are closed at once; a runner retries. */
  readonly maxConnections: number
  /** Limit of one client address; 0 = no limit. */
  readonly connectionsPerAddress: number
  /** MB of all bodies that are read or answered at a time. */
  readonly inFlightMbytes: number
  /** null = plain HTTP. */
  readonly tls: GatewayTls | null
}

export interface GatewayServer {
  readonly name: string
  /** @returns once it listens */
  start(): Promise<void>
  /** Accepts no more requests and waits for those in flight. */
  stop(): Promise<void>
  /** The port on which it listens. */
  port(): number
}

/** The socket in front of the gateway. */
export function createGatewayServer(
  {
    gateway,
    effects,
    registry,
    limits,
  }: {
    gateway: Gateway
    effects: Effects
    registry: Registry
    limits: GatewayLimits
  },
  options: GatewayServerOptions,
): GatewayServer {
  const bodiesInFlight = options.inFlightMbytes * kib * kib
  let bodies = 0
  const observe = createServerMetrics(registry, {
    connections: () => connectionsOf(server),
    bytesInFlight: () => bodies,
  })
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void serve(request, response)
  }
  const { tls } = options
  const secure = tls === null ? null : createHttpsServer({ handshakeTimeout: 10_000 }, listener)
  const server = secure ?? createHttpServer(listener)
  // A runner's keep-alive connection must outlast the pause between two of its reports.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  server.maxConnections = options.maxConnections
  server.on('drop', () => limits.refused('connections'))
  boundConnections(server, options.connectionsPerAddress, limits.closed)

  return {
    name: 'gateway',
    async start() {
      // Both ends are ours: a runner speaks TLS 1.3, whose handshake takes one round trip.
      await tls?.start(({ cert, key }) => {
        secure?.setSecureContext({ cert, key, minVersion: 'TLSv1.3' })
      })
      server.listen(options.port, options.host)
      await once(server, 'listening')
    },
    async stop() {
      const ended = Promise.all([tls?.stop(), close(server)])
      gateway.release()
      await ended
    },
    port: () => portOf(server),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    observe({ route: `${method} ${path}${waits}`, code: answer.status, seconds })
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
    if (bodies + bytes > bodiesInFlight) {
      limits.refused('bodies')
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
    limits.refused('body')
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

function connectionsOf(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.getConnections((error, count) => (error === null ? done(count) : fail(error)))
  })
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}
