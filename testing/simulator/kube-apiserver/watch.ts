import { createByteStream } from './byte-stream.ts'
import { jsonText } from './objects/json.ts'
import { statusBody } from './objects/refusal.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { FakeObject, ResourceDefinition } from './objects/fake-object.ts'
import type { FaultSource, WatchDelivery } from './faults.ts'
import type { ObjectStore, StoreChange } from './objects/object-store.ts'
import type { Selector } from './objects/selectors.ts'

export interface FakeWatch {
  readonly kind: string
  readonly body: AsyncIterable<Uint8Array>
  /** A clean end, as when the server restarts. */
  close(): void
  /** The connection breaks. */
  break(): void
  /** Nothing comes any more, and no end either. */
  silence(): void
}

interface Line {
  readonly delivery: WatchDelivery
  readonly text: string
}

/** One open watch: what it may see, in order, through the faults of its stream. */
export function openWatch(
  deps: { store: ObjectStore; clock: Clock; faults: FaultSource; latencyMs: () => number },
  watch: {
    id: number
    definition: ResourceDefinition
    namespace: string | null
    selector: Selector
    version: string
    timeoutMs: number
    bookmarks: boolean
    signal: AbortSignal
    onEnd: () => void
  },
): FakeWatch {
  const { store, clock, faults } = deps
  const { definition, signal } = watch
  const missed = store.changesAfter(definition.kind, watch.version)
  const stream = createByteStream(signal)
  const timers = new Set<() => void>()
  let freeAtMs = 0
  let isSilent = false
  let heldBack: Line | null = null

  const unsubscribe = store.onChange((change) => {
    if (change.kind === definition.kind) see(change)
  })
  signal.addEventListener('abort', stop, { once: true })
  for (const change of missed) see(change)
  after(watch.timeoutMs, end)
  if (watch.bookmarks) after(Math.max(0, watch.timeoutMs - 2000), bookmark)

  return {
    kind: definition.kind,
    body: stream.body,
    close: end,
    break() {
      stop()
      stream.fail(new Error('connection reset'))
    },
    silence() {
      isSilent = true
    },
  }

  function see(change: StoreChange): void {
    const isSeen = (object: FakeObject): boolean =>
      (watch.namespace === null || object.metadata.namespace === watch.namespace) &&
      watch.selector(object)
    const was = change.previous !== null && isSeen(change.previous)
    const is = change.type !== 'DELETED' && isSeen(change.object)
    if (!was && !is) return
    const type = !was ? 'ADDED' : is ? 'MODIFIED' : 'DELETED'
    enqueue(type, change.object.metadata.name, change.object)
  }

  function bookmark(): void {
    const { kind, apiVersion } = definition
    const metadata = { resourceVersion: store.version(), creationTimestamp: null }
    enqueue('BOOKMARK', '', { kind, apiVersion, metadata })
  }

  function enqueue(type: WatchDelivery['type'], name: string, object: object): void {
    const delivery = { watchId: watch.id, kind: definition.kind, type, name }
    const fault = faults.forEvent(delivery)
    const line = { delivery, text: `{"type":"${type}","object":${jsonText(object)}}\n` }
    const extraMs =
      typeof fault === 'object' && fault !== null && 'delayMs' in fault ? fault.delayMs : 0
    // Never at the same time as the one before: a stream keeps its order, timers need not.
    freeAtMs = Math.max(freeAtMs + 0.001, clock.monotonicMs() + deps.latencyMs() + extraMs)
    after(freeAtMs - clock.monotonicMs(), () => {
      if (fault === 'swap-with-next' && heldBack === null) heldBack = line
      else if (fault === 'go-silent') isSilent = true
      else if (fault === 'close') end()
      else if (typeof fault === 'object' && fault !== null && 'error' in fault) {
        write(`${JSON.stringify({ type: 'ERROR', object: statusBody(fault.error) })}\n`)
        end()
      } else if (fault !== 'drop') {
        write(line.text)
        if (fault === 'duplicate') write(line.text)
        if (heldBack !== null) write(heldBack.text)
        heldBack = null
      }
    })
  }

  function write(text: string): void {
    if (!isSilent) stream.write(text)
  }

  function end(): void {
    if (isSilent) return
    stop()
    stream.end()
  }

  function stop(): void {
    unsubscribe()
    for (const cancel of timers) cancel()
    timers.clear()
    watch.onEnd()
  }

  function after(delayMs: number, callback: () => void): void {
    const cancel = clock.schedule(delayMs, () => {
      timers.delete(cancel)
      callback()
    })
    timers.add(cancel)
  }
}
