import { createServer, get } from 'node:http'
import { listenAt } from '../../support/http-server.ts'

/** Target of an attack: each connection counts, with any content. */
export interface AttackHost {
  /** `127.0.0.1:PORT` */
  readonly host: string
  /** Connections of others than this function's own. */
  visits(): Promise<number>
  close(): Promise<void>
}

/** @param said what it answers to every request */
export async function startAttackHost(said: string): Promise<AttackHost> {
  let connections = 0
  let knocks = 0
  // a connection that is not HTTP must not wait for the end of its request
  const impatient = { headersTimeout: 500, connectionsCheckingInterval: 100 }
  const server = createServer(impatient, (request, response) => {
    request.resume()
    response.end(said)
  })
  server.on('connection', () => {
    connections += 1
  })
  const { url, close } = await listenAt('127.0.0.1', server)
  return { host: new URL(url).host, visits, close }

  /** A connection of our own behind them makes sure that they have all been seen. */
  async function visits(): Promise<number> {
    const answered = Promise.withResolvers<void>()
    get(url, { agent: false }, (response) => {
      response.resume().once('end', () => answered.resolve())
    }).once('error', answered.reject)
    await answered.promise
    knocks += 1
    return connections - knocks
  }
}
