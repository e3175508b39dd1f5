import { computed, signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createReadSoon } from '../lists/read-soon.ts'
import { noteRecords } from '../shell/follow-progress.ts'
import { onConnect, onEvents } from '../shell/live.ts'
import { isFiltered, listRequest, pageSize } from './filters.ts'
import { rowsFor, updated } from './list-rows.ts'
import type { AccountEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Filters } from './filters.ts'
import type { Row } from './list-rows.ts'

/** Commands that begin within this time are read by one request. */
const readAgainMs = 400

/** The list on the screen: rows by a request, then changed by events. */
export function createCommandList(client: Client, filters: Filters) {
  const rows = signal<readonly Row[]>([])
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const hasOlder = signal(false)
  /** Rows move only while the user does not point at them, or wants them to. */
  const isHeld = signal(false)
  const waiting = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  const reading = createReadSoon(read)

  const stopEvents = onEvents(take)
  const stopConnections = onConnect(() => reading.soon(0))
  void read()

  return {
    ...{ rows, state, problem, hasOlder, isHeld, waiting },
    isEmpty: computed(() => state.value === 'ready' && rows.value.length === 0),
    read,
    hold(held: boolean) {
      isHeld.value = held
      if (!held && waiting.value.size > 0) reading.soon(0)
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
      const now = browserEffects.clock.wall().getTime()
      const request = listRequest(filters, now)
      const items = await client.listCommands(request, { signal: stop.signal })
      noteRecords(items)
      rows.value = rowsFor(items, rows.value)
      hasOlder.value = items.length === pageSize
      waiting.value = new Set()
      state.value = 'ready'
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      // What is on the screen stays readable.
      if (rows.value.length === 0) state.value = 'failed'
    }
  }

  function take(events: readonly AccountEvent[]): void {
    const byId = new Map(rows.value.map((row) => [row.peek().command_id, row]))
    const added = new Set<string>()
    for (const event of events) {
      const row = byId.get(event.command_id)
      const next = row === undefined ? null : updated(row.peek(), event)
      if (row !== undefined && next !== null) row.value = next
      if (row === undefined && isNewer(event)) added.add(event.command_id)
    }
    // A page behind the first one has no place for new commands, nor one of old times.
    if (added.size === 0 || filters.before !== null) return
    if (!isHeld.value) reading.soon(readAgainMs)
    else if (!isFiltered(filters)) waiting.value = new Set([...waiting.value, ...added])
  }

  /** Ids of commands grow with time; older ones are on the pages behind this one. */
  function isNewer({ command_id }: AccountEvent): boolean {
    const newest = rows.value[0]?.peek().command_id
    return newest === undefined || command_id > newest || isFiltered(filters)
  }
}

export type CommandList = ReturnType<typeof createCommandList>
