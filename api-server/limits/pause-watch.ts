import { createLoop } from '../../common/runtime/loop.ts'
import { refusal } from '../http/errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PauseMetrics } from './pause-metrics.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Part } from '../../common/runtime/lifecycle.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Hint } from '../../common/store/hints.ts'
import type { Pause, PauseStore } from '../../common/store/administration/pauses.ts'

export interface PauseWatch extends Part {
  /** Pauses, as this process read them last. */
  current(): readonly Pause[]
}

interface Deps {
  readonly store: Pick<PauseStore, 'readPauses'>
  readonly hints: { readonly subscribe: (hint: Hint, onHint: () => void) => () => void }
  readonly effects: Effects
  readonly logger: Logger
  readonly metrics: PauseMetrics
}

const everyMs = 5_000

/**
 * Reads what is paused at each hint, and each 5 s in case one is lost. Between two reads a pause of
 * submissions is late; those of dispatch, admission and webhooks are part of their statements.
 */
export function createPauseWatch({ store, hints, effects, logger, metrics }: Deps): PauseWatch {
  let pauses: readonly Pause[] = []
  const read = async (): Promise<void> => {
    pauses = await effects.failpoint('pauses.read', () => store.readPauses())
    metrics.read(pauses)
  }
  const loop = createLoop({ name: 'pauses', everyMs, work: read, effects, logger })
  const stopping = new AbortController()
  let running = Promise.resolve()
  let unsubscribe = (): void => undefined
  return {
    name: 'pauses',
    current: () => pauses,
    async start() {
      // Before the first request: a restart must not end a pause for seconds.
      await read().catch((error: unknown) => logger.warn('cannot read what is paused', { error }))
      unsubscribe = hints.subscribe('pauses', () => loop.hint())
      running = loop.run(stopping.signal)
    },
    stop() {
      unsubscribe()
      stopping.abort()
      return running
    },
  }
}

const retrySeconds = 30

/** Wraps a call that begins new work. Answers 503 while submissions are paused; validation comes after. */
export function unlessPaused(watch: Pick<PauseWatch, 'current'>, endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    answer(request, context) {
      const pause = watch.current().find(({ what }) => what === 'submissions')
      if (pause === undefined) return endpoint.answer(request, context)
      const detail = `An administrator has paused new commands and files: ${pause.why}. What was accepted goes on; send this again later`
      throw refusal(503, detail, { 'Retry-After': String(retrySeconds) }, 'submissions_paused')
    },
  }
}
