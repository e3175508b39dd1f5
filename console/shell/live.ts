import { signal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { noteLost } from './trouble.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountEvent, FileEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

type Listener = (events: readonly AccountEvent[]) => void
type FileListener = (event: FileEvent) => void

const waitMs = 4_000
/** A hidden tab gives its connection back after this time. */
const hiddenMs = 30_000

/** The stream of events of this tab, and the parts of the page that want them. */
const live = {
  isLive: signal(false),
  /** Number of times that events began to arrive. */
  connections: signal(0),
  nextTry: signal<Date | null>(null),
  listeners: new Set<Listener>(),
  fileListeners: new Set<FileListener>(),
  /** Number of parts of the page that want events while the tab is hidden, too. */
  keepers: signal(0),
  /** Whether the present stream has events of files. */
  hasFiles: false,
  /** Connects anew; null while no stream is followed. */
  connect: null as (() => void) | null,
}

/** Whether events arrive now. */
export const isLive: ReadonlySignal<boolean> = live.isLive
/** When the stream is tried again; null while it is open or is being opened. */
export const nextTry: ReadonlySignal<Date | null> = live.nextTry

/** Connects at once, in place of the next attempt. */
export const retryNow = () => live.connect?.()

/**
 * Calls back when events begin to arrive: what was read before that may have changed in between.
 * @returns a function that ends it
 */
export function onConnect(callback: () => void): () => void {
  const known = live.connections.peek()
  return live.connections.subscribe((count) => {
    if (count !== known) callback()
  })
}

/** The stream has events of files only while a part of the page wants them. @returns a function that ends it */
export function onFiles(listener: FileListener): () => void {
  live.fileListeners.add(listener)
  if (live.fileListeners.size === 1 && !live.hasFiles) live.connect?.()
  return () => live.fileListeners.delete(listener)
}

export function onEvents(listener: Listener): () => void {
  live.listeners.add(listener)
  return () => live.listeners.delete(listener)
}

/** Keeps the stream open while the tab is hidden. @returns a function that ends it */
export function keepLive(): () => void {
  live.keepers.value += 1
  return () => {
    live.keepers.value -= 1
  }
}

/** Browser functions that the stream needs. */
interface Tab {
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  readonly clock: Clock
  readonly onFrame: (draw: () => void) => void
}

/** Reads the events of an account while the tab is visible. @returns a function that ends it */
export function followLive(client: Client, tab: Partial<Tab> = {}): () => void {
  const { page = document, clock = browserEffects.clock, onFrame = requestAnimationFrame } = tab
  let batch: AccountEvent[] = []
  let stop: AbortController | null = null
  let cancelHidden = () => undefined as void
  const onVisibility = () => {
    cancelHidden()
    if (page.visibilityState === 'visible') return start()
    // A hidden tab draws no frame.
    tell()
    if (live.keepers.value === 0) cancelHidden = clock.schedule(hiddenMs, end)
  }
  const again = () => {
    end()
    start()
  }
  page.addEventListener('visibilitychange', onVisibility)
  const stopKeepers = live.keepers.subscribe(onVisibility)
  live.connect = again
  return () => {
    page.removeEventListener('visibilitychange', onVisibility)
    stopKeepers()
    cancelHidden()
    end()
    if (live.connect === again) live.connect = null
  }

  function end(): void {
    stop?.abort()
    stop = null
    live.isLive.value = false
    live.nextTry.value = null
  }

  function start(): void {
    if (stop !== null) return
    stop = new AbortController()
    void read(stop.signal)
  }

  async function read(signal: AbortSignal): Promise<void> {
    const connected = () => {
      live.isLive.value = true
      live.connections.value += 1
    }
    while (!signal.aborted) {
      try {
        live.hasFiles = live.fileListeners.size > 0
        const files = live.hasFiles ? { onFile: tellFiles } : {}
        const events = client.getEvents({ signal, onConnect: connected, ...files })
        for await (const event of events) take(event)
      } catch (error) {
        if (signal.aborted) return
        live.isLive.value = false
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return
        noteLost()
        live.nextTry.value = new Date(clock.wall().getTime() + waitMs)
        await new Promise<void>((resolve) => {
          clock.schedule(waitMs, resolve)
        })
        if (!signal.aborted) live.nextTry.value = null
      }
    }
  }

  /** Events of one frame are drawn together: 200 a second must not draw 200 times. */
  function take(event: AccountEvent): void {
    batch.push(event)
    if (page.visibilityState !== 'visible') tell()
    else if (batch.length === 1) onFrame(tell)
  }

  function tell(): void {
    const events = batch
    batch = []
    if (events.length > 0) for (const listener of live.listeners) listener(events)
  }
}

function tellFiles(event: FileEvent): void {
  for (const listener of live.fileListeners) listener(event)
}
