import { computed, signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createReadSoon } from '../lists/read-soon.ts'
import { noteRecords } from '../shell/follow-progress.ts'
import { onConnect, onEvents } from '../shell/live.ts'
import { isFiltered, listRequest, pageSize } from './filters.ts'
import { applyEvents, newIds, rowsFor } from './list-rows.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Filters } from './filters.ts'
import type { Row } from './list-rows.ts'

/** Commands that begin within this time are read by one request. */
const readAgainMs = 400

/** The list on the screen: rows by a request, then changed by events. */
export function createCommandList(
  client: Client,
  filters: Filters,
  clock: Clock = browserEffects.clock,
) {
  const rows = signal<readonly Row[]>([])
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const hasOlder = signal(false)
  const waiting = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  /** Rows move only while the user does not point at them, or wants them to. */
  let isHeld = false
  /** Events have come while it was held. */
  let isStale = false
  const reading = createReadSoon(read, clock)

  const stopEvents = onEvents(take)
  const stopConnections = onConnect(() => reading.soon(0))
  void read()

  return {
    rows,
    state,
    problem,
    hasOlder,
    waiting,
    isEmpty: computed(() => state.value === 'ready' && rows.value.length === 0),
    read,
    hold(held: boolean) {
      isHeld = held
      if (!held && isStale) reading.soon(0)
    },
    close() {
      stop.abort()
      stopEvents()
      stopConnections()
      reading.close()
    },
  }

  async function read(): Promise<void> {
    try {
      const now = clock.wall().getTime()
      const request = listRequest(filters, now)
      const items = await client.listCommands(request, { signal: stop.signal })
      noteRecords(items)
      rows.value = rowsFor(items, rows.value)
      hasOlder.value = items.length === pageSize
      waiting.value = new Set()
      isStale = false
      state.value = 'ready'
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      // Rows on the screen stay readable.
      if (rows.value.length === 0) state.value = 'failed'
    }
  }

  function take(events: readonly AccountEvent[]): void {
    applyEvents(rows.value, events)
    const added = newIds(rows.value, events, filters)
    if (added.length === 0) return
    if (!isHeld) return reading.soon(readAgainMs)
    isStale = true
    // Under filters, an event does not say whether its command is on the list.
    if (!isFiltered(filters)) waiting.value = new Set([...waiting.value, ...added])
  }
}

export type CommandList = ReturnType<typeof createCommandList>
