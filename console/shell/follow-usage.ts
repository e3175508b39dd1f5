import { browserEffects } from '../../cli/client/browser-effects.ts'
import { onConnect, onEvents } from './live.ts'
import { usage } from './service.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** Usage is read again at most this often, and only when commands have started or ended. */
const atMostEveryMs = 3_000

/** @returns a function that ends it */
export function followUsage(client: Client): () => void {
  const stop = new AbortController()
  let isDue = false
  const states = new Map<string, string>()
  const read = async () => {
    isDue = false
    try {
      usage.value = await client.getUsage({ signal: stop.signal })
    } catch {
      // The list says what is wrong; the last figures stay.
    }
  }
  const readSoon = () => {
    if (isDue) return
    isDue = true
    cancel = browserEffects.clock.schedule(atMostEveryMs, () => void read())
  }
  let cancel = () => undefined as void
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
    cancel()
    stopEvents()
    stopConnections()
  }
}
