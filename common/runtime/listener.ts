import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Clock } from './effects.ts'

export interface Listener {
  readonly start: () => Promise<void>
  /** Refuses new connections and closes those that are not idle after `graceMs` at the latest; 0 closes all at once. */
  readonly stop: (graceMs: number) => Promise<void>
  /** The port that it listens on; null before `start`. With port 0 the system chooses one. */
  readonly port: () => number | null
}

/** @param host absent = all addresses */
export function createListener(
  server: Server,
  { port, host, clock }: { readonly port: number; readonly host?: string; readonly clock: Clock },
): Listener {
  // Load balancers keep idle connections for 60 s. The side that reuses a connection must close it first: otherwise its
  // next request meets a reset.
  server.keepAliveTimeout = 75_000
  return {
    async start() {
      server.listen({ port, ...(host === undefined ? {} : { host }) })
      await once(server, 'listening')
    },
    async stop(graceMs) {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      if (graceMs === 0) server.closeAllConnections()
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
