import { createSocket } from 'node:dgram'
import { setTimeout as delay } from 'node:timers/promises'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { answerQuery } from './answer.ts'
import { parseServiceList, parseWatchLine, type ServiceName } from './service-names.ts'

// DNS of a local cluster, a process of its own: server.ts KEYS_FOLDER HOST_ADDRESS

const [keys = '', hostAddress = ''] = process.argv.slice(2)
const client = await createApiClient(keys, hostAddress)
let names: ReadonlyMap<string, string> = new Map()

const socket = createSocket('udp4')
socket.on('message', (query, peer) => {
  const answer = answerQuery(query, names)
  if (answer !== undefined) socket.send(answer, peer.port, peer.address)
})
socket.bind(53, hostAddress)

for (;;) {
  try {
    await follow(client, (current) => (names = current))
  } catch (error) {
    // the API server is down or restarts: what was known stays true for the while
    console.error(error instanceof Error ? error.message : error)
  }
  await delay(200)
}

/** Lists and watches until the watch ends; then the caller begins anew, with a list that also shows what was deleted meanwhile. */
async function follow(
  api: ApiClient,
  publish: (names: ReadonlyMap<string, string>) => void,
): Promise<void> {
  const { services, resourceVersion } = parseServiceList(await api.get('/api/v1/services'))
  const current = new Map(services.flatMap(entryOf))
  publish(current)
  const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=${resourceVersion}`
  for await (const line of api.lines(`/api/v1/services?${query}`)) {
    const change = parseWatchLine(line)
    if (change === undefined) return
    if (change === 'bookmark') continue
    if (change.kind === 'gone' || change.address === undefined) current.delete(change.name)
    else current.set(change.name, change.address)
  }
}

function entryOf({ name, address }: ServiceName): [string, string][] {
  return address === undefined ? [] : [[name, address]]
}
