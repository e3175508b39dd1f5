import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import type { Clock } from '../effects.ts'
import type { Guard } from './guard.ts'

export interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

export interface Dialling {
  readonly guard: Guard
  readonly clock: Clock
}

/** For resolving, connecting and the TLS handshake of one connection together. */
export const connectMs = 10_000

/**
 * Agents whose every connection was checked: the name's addresses before dialling, and the peer's
 * address after. A `lookup` hook alone would not do, it is never called for IP literals. Plain
 * node:http, because undici costs 60 to 100 ms of a runner's start, more than a small command.
 */
export function guardedAgents(dialling: Dialling): Agents {
  return {
    http: Object.assign(new http.Agent({ keepAlive: true }), {
      createConnection: connector(dialling, (socket) => socket),
    }),
    https: Object.assign(new https.Agent({ keepAlive: true }), {
      createConnection: connector(dialling, (socket, host) =>
        tls.connect({
          socket,
          host,
          ALPNProtocols: ['http/1.1'],
          // The name as the customer wrote it: the certificate is checked against it, not
          // against the address that was dialled.
          ...(net.isIP(host) === 0 ? { servername: host } : {}),
        }),
      ),
    }),
  }
}

type Secure = (socket: net.Socket, host: string) => net.Socket

/** What node passes to an agent, as far as it is needed here. */
interface Target {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

type Connected = (error: Error | null, stream: net.Socket) => void

function connector(dialling: Dialling, secure: Secure) {
  return (target: Target, connected?: Connected): undefined => {
    const host = (target.host ?? '').replace(/^\[(.*)\]$/, '$1')
    const port = Number(target.port)
    void dial(host, port, dialling, secure).then(
      (socket) => connected?.(null, socket),
      (error: unknown) => connected?.(asError(error), new net.Socket()),
    )
  }
}

async function dial(
  host: string,
  port: number,
  { guard, clock }: Dialling,
  secure: Secure,
): Promise<net.Socket> {
  const late = new AbortController()
  const cancel = clock.schedule(connectMs, () =>
    late.abort(new ConnectTimeout(`no connection to ${host} within ${String(connectMs / 1000)} s`)),
  )
  try {
    const addresses = await orAborted(guard.openAddresses(host, port), late.signal)
    const socket = await firstToConnect(addresses, port, late.signal)
    await guard.checkAddress(socket.remoteAddress ?? '', port).catch((error: unknown) => {
      socket.destroy()
      throw error
    })
    const secured = secure(socket, host)
    if (secured instanceof tls.TLSSocket) await settled(secured, 'secureConnect', late.signal)
    return secured
  } finally {
    cancel()
  }
}

export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
}

async function firstToConnect(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<net.Socket> {
  const errors: Error[] = []
  for (const host of addresses) {
    const socket = net.connect({ host, port, noDelay: true })
    try {
      await settled(socket, 'connect', signal)
      return socket
    } catch (error) {
      signal.throwIfAborted()
      errors.push(asError(error))
    }
  }
  throw errors[0] ?? new Error('the name has no address')
}

/** Resolves at the event; at an error or the signal the socket is destroyed. */
function settled(
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const abort = (): void => {
    socket.destroy(asError(signal.reason))
  }
  socket.once(event, () => {
    resolve(undefined)
  })
  // Stays: between this connection and the request that takes it, an error must not end the process.
  socket.on('error', reject)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
  })
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener(
    'abort',
    () => {
      reject(asError(signal.reason))
    },
    { once: true },
  )
  return Promise.race([work, promise])
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unknown', { cause: error })
}
