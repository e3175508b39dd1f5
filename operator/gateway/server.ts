import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { answerRequests } from './answer-requests.ts'
import { boundConnections, createCrowdedWarning } from './connections.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
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

const bytesPerMbyte = 1_048_576

/** The socket in front of the gateway. */
export function createGatewayServer(
  deps: {
    readonly gateway: Gateway
    readonly effects: Effects
    readonly metrics: GatewayMetrics
    readonly logger: Logger
  },
  options: GatewayServerOptions,
): GatewayServer {
  const { gateway, metrics } = deps
  const answers = answerRequests(deps, options.inFlightMbytes * bytesPerMbyte)
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void answers.serve(request, response)
  }
  const { tls } = options
  const secure = tls === null ? null : createHttpsServer({ handshakeTimeout: 10_000 }, listener)
  const server = secure ?? createHttpServer(listener)
  // A runner's keep-alive connection must outlast the pause between two of its reports.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  server.maxConnections = options.maxConnections
  server.on('drop', () => metrics.limited('connections'))
  const warnOfCrowd = createCrowdedWarning(deps.effects.clock, deps.logger)
  boundConnections(server, options.connectionsPerAddress, (address) => {
    metrics.limited('address')
    warnOfCrowd(address)
  })
  metrics.watch({ connections: () => connectionsOf(server), bytesInFlight: answers.bytesInFlight })

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
