import { signal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { noteLost } from './trouble.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountEvent, FileEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

type Listener = (events: readonly AccountEvent[]) => void
type FileListener = (event: FileEvent) => void

/** Whether events arrive now. */
export const isLive = signal(false)
const connections = signal(0)

const listeners = new Set<Listener>()
/** When the stream is tried again; null while it is open or is being opened. */
export const nextTry = signal<Date | null>(null)
const waitMs = 4_000
/** A hidden tab gives its connection back after this time. */
const hiddenMs = 30_000

/**
 * Calls back when events begin to arrive: what was read before that may have changed in between.
 * @returns a function that ends it
 */
export function onConnect(callback: () => void): () => void {
  const known = connections.peek()
  return connections.subscribe((count) => {
    if (count !== known) callback()
  })
}

const fileListeners = new Set<FileListener>()

/** The stream has events of files only while a part of the page wants them. @returns a function that ends it */
export function onFiles(listener: FileListener): () => void {
  fileListeners.add(listener)
  if (fileListeners.size === 1 && !hasFiles) connectNow()
  return () => fileListeners.delete(listener)
}

/** Whether the present stream has events of files. */
let hasFiles = false

export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How many parts of the page want events while the tab is hidden, too. */
const keepers = signal(0)

/** Keeps the stream open while the tab is hidden. @returns a function that ends it */
export function keepLive(): () => void {
  keepers.value += 1
  return () => {
    keepers.value -= 1
  }
}

let connectNow = () => undefined as void

/** Connects at once, in place of the next attempt. */
export const retryNow = () => connectNow()

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
    if (keepers.value === 0) cancelHidden = clock.schedule(hiddenMs, end)
  }
  const again = () => {
    end()
    start()
  }
  page.addEventListener('visibilitychange', onVisibility)
  const stopKeepers = keepers.subscribe(onVisibility)
  connectNow = again
  return () => {
    page.removeEventListener('visibilitychange', onVisibility)
    stopKeepers()
    cancelHidden()
    end()
    if (connectNow === again) connectNow = () => undefined
  }

  function end(): void {
    stop?.abort()
    stop = null
    isLive.value = false
    nextTry.value = null
  }

  function start(): void {
    if (stop !== null) return
    stop = new AbortController()
    void read(stop.signal)
  }

  async function read(signal: AbortSignal): Promise<void> {
    const connected = () => {
      isLive.value = true
      connections.value += 1
    }
    while (!signal.aborted) {
      try {
        hasFiles = fileListeners.size > 0
        const files = hasFiles ? { onFile: tellFiles } : {}
        const events = client.getEvents({ signal, onConnect: connected, ...files })
        for await (const event of events) take(event)
      } catch (error) {
        if (signal.aborted) return
        isLive.value = false
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return
        noteLost()
        nextTry.value = new Date(clock.wall().getTime() + waitMs)
        await new Promise<void>((resolve) => {
          clock.schedule(waitMs, resolve)
        })
        if (!signal.aborted) nextTry.value = null
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
    if (events.length > 0) for (const listener of listeners) listener(events)
  }
}

function tellFiles(event: FileEvent): void {
  for (const listener of fileListeners) listener(event)
}
