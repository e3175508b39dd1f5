import { createServer } from 'node:http'
import { listenAt } from '../support/http-server.ts'
import type { Listening } from '../support/http-server.ts'

export interface HostileServers {
  /** A file that arrives at a kilobyte a second and does not end within an hour. */
  readonly drip: string
  /** Receivers that take a request and do not answer it, each at a port of its own. */
  readonly silentReceivers: readonly string[]
  close(): Promise<void>
}

/** @param address one that pods and API servers reach */
export async function startHostileServers(
  address: string,
  receivers: number,
): Promise<HostileServers> {
  const drips = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 8 * 1024 * 1024 })
    const timer = setInterval(() => response.write(Buffer.alloc(1024)), 1_000)
    response.on('close', () => clearInterval(timer))
  })
  const drip = await listenAt(address, drips)
  const silent: Listening[] = []
  for (let count = 0; count < receivers; count += 1) {
    silent.push(await listenAt(address, createServer()))
  }
  return {
    drip: `${drip.url}/drip.mp4`,
    silentReceivers: silent.map(({ url }) => `${url}/hook`),
    async close() {
      await Promise.all([drip, ...silent].map((each) => each.close()))
    },
  }
}
