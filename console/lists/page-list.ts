import { computed, signal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { onConnect } from '../shell/live.ts'
import { createReadSoon } from '../parts/read-soon.ts'
import type { Clock } from '../../common/runtime/effects.ts'

interface Deps<Item> {
  readonly readPage: (
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly Item[]; readonly hasOlder: boolean }>
  /** Listens to events that may change the page. @returns a function that ends it */
  readonly listen: () => () => void
  readonly clock: Clock
}

/** The page of a list on the screen: read by a request, and again when events say that it has changed. */
export function createPageList<Item>({ readPage, listen, clock }: Deps<Item>) {
  const items = signal<readonly Item[]>([])
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const hasOlder = signal(false)
  /** Ids of items that came while the list is held. */
  const waiting = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  /** Items do not move while the user points at them or does not want it. */
  let isHeld = false
  let isStale = false
  const reading = createReadSoon(read, clock)

  const stopEvents = listen()
  const stopConnections = onConnect(() => reading.soon(0))
  void read()

  return {
    items,
    state,
    problem,
    hasOlder,
    waiting,
    isEmpty: computed(() => state.value === 'ready' && items.value.length === 0),
    read,
    hold(held: boolean) {
      isHeld = held
      if (!held && isStale) reading.soon(0)
    },
    /** Reads the page after `ms`, or, if the list is held, counts the ids until it is released. */
    readSoon(ms: number, newIds: readonly string[] = []) {
      if (!isHeld) return reading.soon(ms)
      isStale = true
      if (newIds.length > 0) waiting.value = new Set([...waiting.value, ...newIds])
    },
    closed: stop.signal,
    close() {
      stop.abort()
      stopEvents()
      stopConnections()
      reading.close()
    },
  }

  async function read(): Promise<void> {
    try {
      const page = await readPage(stop.signal)
      items.value = page.items
      hasOlder.value = page.hasOlder
      waiting.value = new Set()
      isStale = false
      state.value = 'ready'
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      // Items on the screen stay readable.
      if (items.value.length === 0) state.value = 'failed'
      const ms = againMs(error)
      if (ms !== null) reading.soon(ms)
    }
  }
}

/** The bar above the page says that it goes on by itself. @returns null for an error that another try does not mend */
function againMs(error: unknown): number | null {
  const passes = error instanceof ApiError && [429, 502, 503, 504].includes(error.status)
  return passes ? 1_000 * (error.retryAfterSeconds ?? 4) : null
}

export type PageList<Item> = ReturnType<typeof createPageList<Item>>
