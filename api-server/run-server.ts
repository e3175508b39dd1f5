import { sleep } from '../common/runtime/effects.ts'
import { createLifecycle } from '../common/runtime/lifecycle.ts'
import type { Readiness } from './middleware/while-serving.ts'
import type { Clock } from '../common/runtime/effects.ts'
import type { Part } from '../common/runtime/lifecycle.ts'
import type { Listener } from '../common/runtime/listener.ts'
import type { Logger } from '../common/runtime/logger.ts'

interface Deps {
  readonly api: Listener
  readonly metrics: Listener
  /** Closes the connections to the database and to kube-apiserver; nothing uses them any more. */
  readonly closeConnections: () => Promise<void>
  /** Resolves when requests can be served; rejects when the signal aborts. */
  readonly prepareDatabase: (signal: AbortSignal) => Promise<unknown>
  /** Work beside the requests, in the order of its start. */
  readonly parts: readonly Part[]
  readonly readiness: Readiness
  /** Aborted when open streams are to end. */
  readonly draining: AbortController
  /** Seconds between "not ready" and the refusal of connections, in which load balancers notice. */
  readonly drainSeconds: number
  readonly clock: Clock
  readonly logger: Logger
}

/** Starts the parts of the server in their order, and stops them in the reverse order at SIGTERM and SIGINT. */
export async function runServer(deps: Deps): Promise<void> {
  const { api, metrics, readiness, logger } = deps
  const stopping = new AbortController()
  const lifecycle = createLifecycle(
    [
      { name: 'metrics', start: metrics.start, stop: () => metrics.stop(1_000) },
      { name: 'connections', start: async () => undefined, stop: deps.closeConnections },
      { name: 'listener', start: api.start, stop: () => api.stop(1_000) },
      {
        name: 'database',
        start: async () => void (await deps.prepareDatabase(stopping.signal)),
        stop: async () => undefined,
      },
      ...deps.parts,
      {
        name: 'traffic',
        async start() {
          readiness.state = 'serving'
        },
        async stop() {
          readiness.state = 'draining'
          await sleep(deps.clock, deps.drainSeconds * 1_000)
          deps.draining.abort()
          await api.stop(15_000)
        },
      },
    ],
    logger,
  )

  const stop = (signal: NodeJS.Signals) => {
    logger.info('stopping', { signal })
    stopping.abort(new Error('stopping'))
    void lifecycle.stop()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    await lifecycle.start()
    logger.info('started', { port: api.port(), seconds: process.uptime() })
  } catch (error) {
    if (stopping.signal.aborted) return
    logger.error('cannot start', { error })
    process.exitCode = 1
    await lifecycle.stop()
  }
}
