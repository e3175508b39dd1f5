import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { createLineReader, encodeLine } from '../link/line-codec.ts'
import { longestLine } from '../link/messages.ts'
import type { FromSupervisor } from '../link/messages.ts'

export interface Link {
  /** Resolves with the first connection; a second one is refused. */
  readonly connected: Promise<void>
  /**
   * @param expendable dropped while the other side reads too slowly: unread messages must not
   * accumulate here
   * @returns whether it went out
   */
  send(message: FromSupervisor, expendable: boolean): boolean
  /** Resolves when all that was sent has been handed to the kernel. */
  close(): Promise<void>
}

export interface LinkHandlers {
  readonly onLine: (line: string) => void
  /** Once: the connection ended, or `onLine` threw, or nothing can listen at the path. */
  readonly onLost: (cause: Error) => void
}

/** Listens at once: the two containers of a pod start in either order. */
export function serveLink(socketPath: string, { onLine, onLost }: LinkHandlers): Link {
  const connected = Promise.withResolvers<void>()
  let peer: Socket | null = null
  let over = false

  // left by an earlier container of the same pod
  rmSync(socketPath, { force: true })
  const server = createServer((socket) => {
    if (peer !== null) return void socket.destroy()
    peer = socket
    serve(socket)
    connected.resolve()
  })
  server.once('error', lose)
  server.listen(socketPath)

  return {
    connected: connected.promise,
    send(message, expendable) {
      if (peer === null || over) return false
      if (expendable && peer.writableLength > congestedBytes) return false
      peer.write(encodeLine(message))
      return true
    },
    async close() {
      over = true
      server.close()
      const socket = peer
      if (socket === null || socket.destroyed) return
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve())
        socket.end(() => socket.destroy())
      })
    },
  }

  function serve(socket: Socket): void {
    const read = createLineReader(longestLine.toSupervisor)
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of read(chunk)) if (!over) onLine(line)
      } catch (error) {
        lose(error)
      }
    })
    // A peer that ends while messages are unread in its socket resets the connection.
    socket.once('error', (cause) => lose(new Error('the link was closed', { cause })))
    socket.once('close', () => lose(new Error('the link was closed')))
  }

  function lose(cause: unknown): void {
    if (over) return
    over = true
    peer?.destroy()
    onLost(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

const congestedBytes = 512 * 1024
