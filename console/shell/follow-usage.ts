import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createReadSoon } from '../parts/read-soon.ts'
import { onConnect, onEvents } from './live.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** Usage is read again at most this often, and only when commands have started or ended. */
const atMostEveryMs = 3_000

/** @returns a function that ends it */
export function followUsage(
  client: Client,
  take: (usage: AccountUsage) => void,
  clock: Clock = browserEffects.clock,
): () => void {
  const stop = new AbortController()
  const states = new Map<string, string>()
  const read = async () => {
    try {
      take(await client.getUsage({ signal: stop.signal }))
    } catch {
      // The list says what is wrong; the last figures stay.
    }
  }
  const reading = createReadSoon(read, clock)
  const readSoon = () => reading.soon(atMostEveryMs)
  const stopEvents = onEvents((events) => {
    for (const { command_id: id, status, finished_at } of events) {
      if (states.get(id) === status) continue
      if (finished_at === null) states.set(id, status)
      else states.delete(id)
      readSoon()
    }
  })
  const stopConnections = onConnect(readSoon)
  void read()
  return () => {
    stop.abort()
    reading.close()
    stopEvents()
    stopConnections()
  }
}
