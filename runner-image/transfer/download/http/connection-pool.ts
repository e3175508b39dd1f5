import type net from 'node:net'
import type { Clock } from '../../../../common/runtime/effects.ts'
import type { Guard } from '../../../../common/network/guard.ts'
import { guardedDial } from '../../../../common/network/guarded-agents.ts'
import type { Dial } from '../../../../common/network/guarded-agents.ts'

export interface Connection {
  readonly socket: net.Socket
  /** Memory into which the next bytes should be read, if that can be chosen; null = any. */
  memory: (() => Buffer) | null
}

/** Connections to servers, which are used again as long as requests follow each other. */
export interface ConnectionPool {
  /** An idle connection. @throws the error of dialling */
  take(url: URL): Promise<Connection>
  /** Call once an answer is complete and the server will accept another request. */
  giveBack(url: URL, connection: Connection): void
  /** Ends all connections, those in use too. */
  close(): void
}

/** Pool for customers' URLs. */
export function guardedPool(guard: Guard, clock: Clock): ConnectionPool {
  return createPool(guardedDial({ guard, clock }))
}

/** Pool for our own storage, wherever it is. */
export function directPool(clock: Clock): ConnectionPool {
  const guard = {
    openAddresses: async (host: string) => [host],
    checkAddress: async () => undefined,
  }
  return createPool(guardedDial({ guard, clock }))
}

function createPool(dial: Dial): ConnectionPool {
  const open = new Set<net.Socket>()
  const idle = new Map<string, Set<Connection>>()
  let closed = false

  async function dialled(url: URL): Promise<Connection> {
    const where: Pick<Connection, 'memory'> = { memory: null }
    const socket = await dial(url, () => where.memory?.() ?? anywhere)
    const connection = Object.assign(where, { socket })
    open.add(socket)
    // The user of the connection gets this error too; between two uses it must not end the process.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      open.delete(socket)
      idle.get(url.origin)?.delete(connection)
    })
    if (closed) socket.destroy()
    return connection
  }

  return {
    async take(url) {
      const waiting = idle.get(url.origin)
      for (const connection of waiting ?? []) {
        waiting?.delete(connection)
        connection.socket.off('data', unrequested)
        if (!connection.socket.destroyed && connection.socket.writable) return connection
      }
      return dialled(url)
    },
    giveBack({ origin }, connection) {
      const waiting = idle.get(origin) ?? new Set()
      idle.set(origin, waiting.add(connection))
      connection.socket.on('data', unrequested)
      connection.socket.resume()
    },
    close() {
      closed = true
      for (const socket of open) socket.destroy()
    },
  }
}

/** Shared by all connections: its bytes are consumed before the next connection is read. */
const anywhere = Buffer.allocUnsafeSlow(64 * 1024)

/** Bytes without a request would be parsed as the answer to the next one. */
function unrequested(this: net.Socket): void {
  this.destroy()
}
