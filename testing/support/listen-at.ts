import type { Server } from 'node:http'
import { createListener } from '../../common/runtime/listener.ts'
import { systemClock } from '../../common/runtime/system-effects.ts'

export interface Listening {
  /** `http://ADDRESS:PORT` */
  readonly url: string
  /** Open connections are cut. */
  readonly close: () => Promise<void>
}

/** Starts a server at a free port of an address of this machine, such as one that pods reach. */
export async function listenAt(address: string, server: Server): Promise<Listening> {
  const listener = createListener(server, { port: 0, host: address, clock: systemClock })
  await listener.start()
  return { url: `http://${address}:${listener.port()}`, close: () => listener.stop(0) }
}
