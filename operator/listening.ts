import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Part } from '../common/runtime/lifecycle.ts'

/** A server as a part of the process: it listens once started, and closes at once when stopped. */
export function createListening(server: Server, port: number): Omit<Part, 'name'> {
  return {
    async start() {
      server.listen(port)
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
