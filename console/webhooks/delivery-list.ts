import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { createReadSoon } from '../lists/read-soon.ts'
import { onConnect, onEvents } from '../shell/live.ts'
import { hasEnded } from '../parts/state.ts'
import { listRequest, pageSize } from './delivery-filters.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { WebhookDelivery } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { DeliveryFilters } from './delivery-filters.ts'

/** An event of a command that has ended is sent within this time. */
const sentMs = 1_500
/** An attempt ends within 15 s; the waits between looks at one sum up to more. */
const lookMs = [300, 700, 1_500, 3_000, 5_000, 8_000]

/** The deliveries on the screen, read again when a command has ended. */
export function createDeliveryList(
  client: Client,
  filters: DeliveryFilters,
  clock: Clock = browserEffects.clock,
) {
  const deliveries = signal<readonly WebhookDelivery[]>([])
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const hasOlder = signal(false)
  /** Deliveries that are being sent again. */
  const sending = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  const reading = createReadSoon(read, clock)

  const stopEvents = onEvents((events) => {
    if (filters.from === 0 && events.some(hasEnded)) reading.soon(sentMs)
  })
  const stopConnections = onConnect(() => reading.soon(0))
  void read()

  return {
    deliveries,
    state,
    problem,
    hasOlder,
    sending,
    read,
    /**
     * Sends one again and follows the attempt to its end.
     * @returns the delivery after it; null if the list is closed before
     */
    async sendAgain(id: string): Promise<WebhookDelivery | null> {
      sending.value = new Set([...sending.value, id])
      try {
        const pending = await client.redeliverWebhook(id, { signal: stop.signal })
        replace(pending)
        return await endOf(pending)
      } catch (error) {
        if (stop.signal.aborted) return null
        throw error
      } finally {
        sending.value = new Set([...sending.value].filter((one) => one !== id))
      }
    },
    close() {
      stop.abort()
      stopEvents()
      stopConnections()
      reading.close()
    },
  }

  async function endOf(pending: WebhookDelivery): Promise<WebhookDelivery> {
    let found = pending
    for (const ms of lookMs) {
      await sleep(clock, ms, stop.signal)
      found = await client.getWebhookDelivery(pending.webhook_id, { signal: stop.signal })
      if (found.attempts.length > pending.attempts.length) break
    }
    replace(found)
    return found
  }

  function replace(delivery: WebhookDelivery): void {
    deliveries.value = deliveries.value.map((one) =>
      one.webhook_id === delivery.webhook_id ? delivery : one,
    )
  }

  async function read(): Promise<void> {
    try {
      const request = listRequest(filters)
      const found = await client.listWebhookDeliveries(request, { signal: stop.signal })
      deliveries.value = found.slice(0, pageSize)
      hasOlder.value = found.length > pageSize
      state.value = 'ready'
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      if (deliveries.value.length === 0) state.value = 'failed'
    }
  }
}

export type DeliveryList = ReturnType<typeof createDeliveryList>
