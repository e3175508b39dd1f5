import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'

interface Connection {
  readonly socket: Socket
  /** A request that is read or answered. */
  isBusy: boolean
}

/**
 * Bounds the connections of each client address, so that one pod cannot use those of all. A new one
 * takes the place of the address's idle connection that was used longest ago: a pod that vanished with
 * its node leaves some behind, and its address goes to the next pod. Where all are busy, the new one is
 * closed; a runner retries.
 *
 * @param perAddress 0 = no bound
 * @param onRefusal the address whose connection was closed
 */
export function boundConnections(
  server: Server,
  perAddress: number,
  onRefusal: (address: string) => void,
): void {
  if (perAddress === 0) return
  /** Keys are addresses, then ports, least recently used first. */
  const addresses = new Map<string, Map<number, Connection>>()

  // Before the server's own listener: a socket that is closed here is never parsed.
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress: address, remotePort: port } = socket
    if (address === undefined || port === undefined) return void socket.destroy()
    const own = addresses.get(address) ?? new Map<number, Connection>()
    if (own.size >= perAddress && !closeIdle(own)) {
      onRefusal(address)
      return void socket.destroy()
    }
    own.set(port, { socket, isBusy: false })
    addresses.set(address, own)
    socket.once('close', () => {
      if (own.get(port)?.socket === socket) own.delete(port)
      if (own.size === 0 && addresses.get(address) === own) addresses.delete(address)
    })
  })

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A request over TLS has a socket of its own, with the same two numbers.
    const { remoteAddress: address = '', remotePort: port = 0 } = socket
    const own = addresses.get(address)
    const connection = own?.get(port)
    if (own === undefined || connection === undefined) return
    connection.isBusy = true
    response.once('close', () => {
      connection.isBusy = false
      if (!own.delete(port)) return
      own.set(port, connection)
    })
  })
}

const silentMs = 60_000

/** Warns of a refused address at most once a minute: a pod that retries would fill the log. */
export function createCrowdedWarning(clock: Clock, logger: Logger): (address: string) => void {
  let loggedMs = -Infinity
  return (address) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - loggedMs < silentMs) return
    loggedMs = nowMs
    logger.warn(
      'an address has as many busy connections to the gateway as gateway.connectionsPerAddress allows; raise it if runners share an address',
      { address },
    )
  }
}

function closeIdle(own: Map<number, Connection>): boolean {
  for (const [port, { socket, isBusy }] of own) {
    if (isBusy) continue
    own.delete(port)
    socket.destroy()
    return true
  }
  return false
}
