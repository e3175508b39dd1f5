import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenAt } from '../../testing/support/http-server.ts'

interface Call {
  readonly headers: Record<string, string>
  readonly body: string
}

/** Takes webhooks; answers with each of `statuses` in turn, and with the last one from then on. */
export async function startReceiver(address: string, statuses: readonly number[]) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      const status = statuses[Math.min(calls.length, statuses.length - 1)] ?? 204
      calls.push({ headers: Object.fromEntries(headers) as Record<string, string>, body })
      response.writeHead(status).end()
    })
  })
  const { url, close } = await listenAt(address, server)
  return {
    url: `${url}/hook`,
    calls,
    close,
  }
}
