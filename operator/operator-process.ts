import { once } from 'node:events'
import { createLifecycle } from '../common/runtime/lifecycle.ts'
import type { Clock } from '../common/runtime/effects.ts'
import type { Part } from '../common/runtime/lifecycle.ts'
import type { Listener } from '../common/runtime/listener.ts'
import type { Logger } from '../common/runtime/logger.ts'

interface Deps {
  readonly probes: Listener
  /** Closes the connections to the database, the storage and kube-apiserver; nothing uses them any more. */
  readonly closeConnections: () => Promise<void>
  readonly flushEvents: () => Promise<void>
  /** Resolves when the database has the schema of this program; rejects when the signal aborts. */
  readonly waitForSchema: (signal: AbortSignal) => Promise<void>
  readonly caches: { run(signal: AbortSignal): Promise<void>; readonly synced: Promise<void> }
  /** Work of each replica, before the caches. */
  readonly parts: readonly Part[]
  readonly gateway: Part
  readonly leadership: Part
  /** Logged with the start. */
  readonly about: Readonly<Record<string, unknown>>
  readonly clock: Clock
  readonly logger: Logger
}

export interface OperatorProcess {
  /** Starts everything in its order. */
  start(): Promise<void>
  /** Stops in the reverse order and ends the process; only the first call counts. */
  stop(why: string, exitCode: number): void
  /** Receives requests of runners. */
  isReady(): boolean
}

/** Work that does not end, such as a request that hangs, must not keep the Lease from a successor. */
const longestStopMs = 25_000

export function createOperatorProcess(deps: Deps): OperatorProcess {
  const { caches, logger } = deps
  let ready = false
  let watching = Promise.resolve()
  const stopping = new AbortController()
  const stopWatching = new AbortController()
  const lifecycle = createLifecycle(
    [
      { name: 'probes', start: deps.probes.start, stop: () => deps.probes.stop(0) },
      { name: 'connections', start: async () => undefined, stop: deps.closeConnections },
      { name: 'events', start: async () => undefined, stop: deps.flushEvents },
      {
        name: 'schema',
        start: () => deps.waitForSchema(stopping.signal),
        stop: async () => undefined,
      },
      ...deps.parts,
      {
        name: 'caches',
        async start() {
          watching = caches.run(stopWatching.signal)
          await Promise.race([caches.synced, once(stopping.signal, 'abort')])
        },
        stop() {
          stopWatching.abort(new Error('stopping'))
          return watching
        },
      },
      deps.gateway,
      deps.leadership,
      {
        name: 'readiness',
        async start() {
          ready = true
        },
        async stop() {
          ready = false
        },
      },
    ],
    logger,
  )

  return {
    isReady: () => ready,
    async start() {
      process.once('SIGTERM', () => stop('SIGTERM', 0))
      process.once('SIGINT', () => stop('SIGINT', 0))
      try {
        await lifecycle.start()
        if (!stopping.signal.aborted) {
          logger.info('started', { ...deps.about, seconds: process.uptime() })
        }
      } catch (error) {
        if (stopping.signal.aborted) return
        logger.error('cannot start', { error })
        stop('a failed start', 1)
      }
    },
    stop,
  }

  function stop(why: string, exitCode: number): void {
    if (stopping.signal.aborted) return
    logger.info('stopping', { why })
    process.exitCode = exitCode
    stopping.abort(new Error('stopping'))
    deps.clock.schedule(longestStopMs, () => process.exit(exitCode))
    void lifecycle.stop().then(() => process.exit(exitCode))
  }
}
