import { effect, signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { onConnect } from '../shell/live.ts'
import { client } from '../shell/service.ts'
import { isMemoryOnly, uploadsDatabase } from '../shell/session.ts'
import { createBrowserJournals } from './browser-journal.ts'
import { putPart } from './put-part.ts'
import { createUploads } from './upload-store.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Uploads } from './upload-store.ts'

/** Uploads of the account whose key is chosen; null until the account is known. */
export const uploads = signal<Uploads | null>(null)

const journals = createBrowserJournals(uploadsDatabase)

/** Another key ends the uploads of the one before; they go on when their files are dropped again. */
effect(() => {
  const chosen = client.value
  const stop = new AbortController()
  const attempt = () => {
    if (chosen === null || uploads.peek() !== null) return
    // The bar at the top says what is wrong; the next connection tries it again.
    begin(chosen, stop.signal).catch(() => undefined)
  }
  const stopConnections = onConnect(attempt)
  attempt()
  return () => {
    stop.abort()
    stopConnections()
    uploads.peek()?.close()
    uploads.value = null
  }
})

async function begin(chosen: Client, stopped: AbortSignal): Promise<void> {
  const { account_id: accountId } = await chosen.getUsage({ signal: stopped })
  const mine = createUploads({
    client: chosen,
    accountId,
    clock: browserEffects.clock,
    origin: location.origin,
    journals: isMemoryOnly() ? null : journals,
    fetch: (input, init) => fetch(input, init),
    putPart,
  })
  if (stopped.aborted || uploads.peek() !== null) return
  uploads.value = mine
  // A browser that stores nothing, as in a private window, has nothing to go on with.
  await mine.restoreAll().catch(() => undefined)
}
