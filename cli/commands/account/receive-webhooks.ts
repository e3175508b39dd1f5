import { once } from 'node:events'
import { createServer } from 'node:http'
import { verify, WebhookRefused } from '../../exports/webhooks.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Shell } from '../../terminal/shell.ts'

interface Receiver {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly secret: string
  /** Prints bodies in place of a line each. */
  readonly json: boolean
}

interface Event {
  readonly data?: Readonly<Record<string, unknown>>
}

/** The service's events have a few KB; with a record of many files some hundreds. */
const mostBytes = 4 * 1_024 * 1_024

/** Prints each event that arrives, once its signature is verified, until Ctrl-C. */
export async function receiveWebhooks(receiver: Receiver, shell: Shell): Promise<void> {
  const { signal, progress } = shell
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(receiver.port, receiver.host)
  await once(server, 'listening', { signal })
  const { port } = server.address() as AddressInfo
  progress.say(`listening at http://${receiver.host}:${port}; Ctrl-C ends it`)
  progress.say("the service has to reach it: through a tunnel, whose URL 'webhooks set' takes")
  await once(signal, 'abort')
  server.close()
  server.closeAllConnections()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end()
    const body = await bodyOf(request)
    if (body === null) return void response.writeHead(413).end()
    try {
      const now = () => shell.clock.wall()
      const event = await verify<Event>(body, request.headers, receiver.secret, { now })
      shell.print(receiver.json ? JSON.stringify(event) : lineOf(event, request))
      response.writeHead(204).end()
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error
      progress.say(`refused: ${error.message}`)
      response.writeHead(400).end(error.message)
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function lineOf({ data = {} }: Event, { headers }: IncomingMessage): string {
  const about = [data['command_id'] ?? data['file_id'], data['status'], data['error_status']]
  const known = about.filter((part) => typeof part === 'string')
  return [String(headers['webhook-id']), String(headers['webhook-event']), ...known].join('  ')
}
