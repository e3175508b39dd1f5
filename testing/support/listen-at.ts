import { once } from 'node:events'
import type { Server } from 'node:http'

export interface Listening {
  /** `http://ADDRESS:PORT` */
  readonly url: string
  /** Open connections are cut. */
  readonly close: () => Promise<void>
}

/** Starts a server at a free port of an address of this machine, such as one that pods reach. */
export async function listenAt(address: string, server: Server): Promise<Listening> {
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  return {
    url: `http://${address}:${String(bound.port)}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
