import { unavailable } from '../http/errors.ts'
import { page } from '../middleware/page.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Readiness } from '../middleware/while-serving.ts'
import type { Page } from '../middleware/page.ts'

interface Deps {
  readonly store: Pick<Store, 'ping'>
  readonly readiness: Readiness
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** A check of the schema takes three statements, which a probe every two seconds would repeat for nothing. */
const pingedMs = 15_000

/** The probes; they need no key. */
export function health({ store, readiness, clock }: Deps): Page[] {
  let validUntilMs = -Infinity
  return [
    page('/livez', () => ok),
    page('/readyz', async () => {
      if (readiness.state === 'serving' && clock.monotonicMs() >= validUntilMs) {
        await store.ping()
        validUntilMs = clock.monotonicMs() + pingedMs
      }
      return readiness.state === 'serving' ? ok : unavailable
    }),
  ]
}

const ok = { status: 200, body: { status: 'ok' } }
