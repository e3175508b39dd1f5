import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { codeOf } from '../runtime/error-code.ts'
import { orAborted } from '../runtime/effects.ts'
import type { Clock } from '../runtime/effects.ts'
import type { Guard } from './guard.ts'

export interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

export interface Dialling {
  readonly guard: Guard
  readonly clock: Clock
}

/**
 * Connects to the server of a URL.
 * @param memory where the next bytes are read to; without it, each read costs memory of its own. What
 * a 'data' event gives is then a view of it, good until the listener returns.
 * @throws RefusedAddress, ConnectTimeout, NotConnected
 */
export type Dial = (url: URL, memory?: Memory) => Promise<net.Socket>

type Memory = () => Buffer

/** Timeout in ms of resolving, connecting and the TLS handshake of one connection together. */
export const connectMs = 10_000

/**
 * Agents whose every connection was checked: the name's addresses before dialling, and the peer's
 * address after. A `lookup` hook alone would not do, it is never called for IP literals. Plain
 * node:http, because undici costs 60 to 100 ms of a runner's start, more than a small command.
 */
export function guardedAgents(dialling: Dialling): Agents {
  return {
    http: Object.assign(new http.Agent({ keepAlive: true }), {
      createConnection: connector(dialling, 'http:'),
    }),
    https: Object.assign(new https.Agent({ keepAlive: true }), {
      createConnection: connector(dialling, 'https:'),
    }),
  }
}

/**
 * Connects with the same address checks as the agents, for callers that manage their own
 * connections.
 */
export function guardedDial(dialling: Dialling): Dial {
  return (url, memory) => {
    const secure = url.protocol === 'https:'
    const port = Number(url.port || (secure ? 443 : 80))
    return dial({ host: withoutBrackets(url.hostname), port, secure, memory }, dialling)
  }
}

/** Options that Node.js passes to an agent, as far as they are needed here. */
interface Target {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

type Connected = (error: Error | null, stream: net.Socket) => void

function connector(dialling: Dialling, protocol: 'http:' | 'https:') {
  return (target: Target, connected?: Connected): undefined => {
    const host = withoutBrackets(target.host ?? '')
    const secure = protocol === 'https:'
    void dial({ host, port: Number(target.port), secure, memory: undefined }, dialling).then(
      (socket) => connected?.(null, socket),
      (error: unknown) => connected?.(asError(error), new net.Socket()),
    )
  }
}

interface Server {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly memory: Memory | undefined
}

async function dial(server: Server, { guard, clock }: Dialling): Promise<net.Socket> {
  const { host, port } = server
  const late = new AbortController()
  const cancel = clock.schedule(connectMs, () =>
    late.abort(new ConnectTimeout(`no connection to ${host} within ${String(connectMs / 1000)} s`)),
  )
  try {
    const addresses = await orAborted(guard.openAddresses(host, port), late.signal)
    const { socket, secured } = await firstToConnect(addresses, server, late.signal)
    // A TLS handshake may be under way by now; a request is not sent before both are over.
    await guard.checkAddress(socket.remoteAddress ?? '', port).catch((error: unknown) => {
      socket.destroy()
      throw error
    })
    await secured
    return socket
  } catch (error) {
    throw isCoded(error) ? new NotConnected(host, error) : error
  } finally {
    cancel()
  }
}

export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
}

type CodedError = Error & { readonly code: string; readonly syscall?: unknown }

function isCoded(error: unknown): error is CodedError {
  return codeOf(error) !== null
}

/**
 * Resolver, socket or TLS failed before there was a connection. Kept apart from errors of files,
 * which have the same codes and are not caused by a server.
 */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
  readonly code: string
  readonly isLookup: boolean

  constructor(host: string, cause: CodedError) {
    super(`no connection to ${host}: ${cause.message}`, { cause })
    this.code = cause.code
    const { syscall } = cause
    this.isLookup =
      typeof syscall === 'string' && (syscall === 'getaddrinfo' || syscall.startsWith('query'))
  }
}

interface Connecting {
  readonly socket: net.Socket
  /** Resolves at the end of the TLS handshake. */
  readonly secured: Promise<unknown>
}

async function firstToConnect(
  addresses: readonly string[],
  server: Server,
  signal: AbortSignal,
): Promise<Connecting> {
  const errors: Error[] = []
  for (const address of addresses) {
    const socket = connect(address, server)
    // Registered from the start: the handshake can end before the caller awaits it.
    const secured = server.secure ? settled(socket, 'secureConnect', signal) : Promise.resolve()
    secured.catch(() => undefined)
    try {
      await settled(socket, 'connect', signal)
      return { socket, secured }
    } catch (error) {
      signal.throwIfAborted()
      errors.push(asError(error))
    }
  }
  throw errors[0] ?? new Error('the name has no address')
}

function connect(address: string, { host, port, secure, memory }: Server): net.Socket {
  const to = { host: address, port, noDelay: true, ...(memory === undefined ? {} : into(memory)) }
  const socket = secure
    ? tls.connect({
        ...to,
        ALPNProtocols: ['http/1.1'],
        // The name as the customer wrote it: the certificate is checked against it, not against
        // the address that is dialled.
        ...(net.isIP(host) === 0 ? { servername: host } : {}),
      })
    : net.connect(to)
  return socket.setNoDelay()

  function into(nextMemory: Memory) {
    let last = nextMemory()
    const buffer = (): Buffer => (last = nextMemory())
    const callback = (bytes: number): boolean => {
      socket.emit('data', last.subarray(0, bytes))
      return true
    }
    return { onread: { buffer, callback } }
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unknown', { cause: error })
}
