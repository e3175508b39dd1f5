import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { reasonOf } from '../parts/notices.tsx'
import { requestOf } from './spans.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { UsageHistory } from '../../common/openapi/openapi-types.ts'
import type { Shown } from './spans.ts'

/** Figures are read again at most this often while commands end. */
const atMostEveryMs = 15_000

/** The figures of the charts. */
export function createUsageStore(client: Client, shown: Shown) {
  const stop = new AbortController()
  const history = signal<UsageHistory | null>(null)
  const problem = signal<string | null>(null)
  let isDue = false
  let cancel = () => undefined as void

  async function read(): Promise<void> {
    isDue = false
    try {
      const now = browserEffects.clock.wall().getTime()
      const query = requestOf(shown, now)
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
    readSoon(): void {
      if (isDue || stop.signal.aborted) return
      isDue = true
      cancel = browserEffects.clock.schedule(atMostEveryMs, () => void read())
    },
    readNow: () => void read(),
    close(): void {
      cancel()
      stop.abort()
    },
  }
}
