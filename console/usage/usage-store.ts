import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createReadSoon } from '../parts/read-soon.ts'
import { reasonOf } from '../parts/notices.ts'
import { requestOf } from './spans.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { UsageHistory } from '../../common/openapi/openapi-types.ts'
import type { Shown } from './spans.ts'

/** Figures are read again at most this often while commands end. */
const atMostEveryMs = 15_000

/** The figures of the charts. */
export function createUsageStore(
  client: Client,
  shown: Shown,
  clock: Clock = browserEffects.clock,
) {
  const stop = new AbortController()
  const history = signal<UsageHistory | null>(null)
  const problem = signal<string | null>(null)
  const reading = createReadSoon(read, clock)

  async function read(): Promise<void> {
    try {
      const query = requestOf(shown, clock.wall().getTime())
      history.value = await client.getUsageHistory(query, { signal: stop.signal })
      problem.value = null
    } catch (error) {
      if (!stop.signal.aborted) problem.value = reasonOf(error)
    }
  }
  void read()
  return {
    history,
    problem,
    /** After a change of usage. */
    readSoon: () => reading.soon(atMostEveryMs),
    readNow: () => void read(),
    close(): void {
      reading.close()
      stop.abort()
    },
  }
}
