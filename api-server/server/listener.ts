import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Clock } from '../../common/runtime/effects.ts'

export interface Listener {
  readonly start: () => Promise<void>
  /** Refuses new connections, lets what is being answered finish, at most this long. */
  readonly stop: (graceMs: number) => Promise<void>
  /** The one it listens on, also where it was told to take any. */
  readonly port: () => number | null
}

export function createListener(server: Server, port: number, clock: Clock): Listener {
  // Longer than what usual load balancers keep a connection for: the side that reuses it must be
  // the one that gives it up first, or it meets a reset.
  server.keepAliveTimeout = 75_000
  return {
    async start() {
      server.listen(port)
      await once(server, 'listening')
    },
    async stop(graceMs) {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      const cancel = clock.schedule(graceMs, () => server.closeAllConnections())
      await closed
      cancel()
    },
    port() {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : null
    },
  }
}
