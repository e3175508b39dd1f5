import { signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { createPageList } from '../lists/page-list.ts'
import { onEvents } from '../shell/live.ts'
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
  const list = createPageList<WebhookDelivery>({
    clock,
    listen: () =>
      onEvents((events) => {
        if (filters.from === 0 && events.some(hasEnded)) list.readSoon(sentMs)
      }),
    async readPage(signal) {
      const found = await client.listWebhookDeliveries(listRequest(filters), { signal })
      return { items: found.slice(0, pageSize), hasOlder: found.length > pageSize }
    },
  })
  /** Deliveries that are being sent again. */
  const sending = signal<ReadonlySet<string>>(new Set())
  return { ...list, sending, sendAgain }

  /**
   * Sends one again and follows the attempt to its end.
   * @returns the delivery after it; null if the list is closed before
   */
  async function sendAgain(id: string): Promise<WebhookDelivery | null> {
    sending.value = new Set([...sending.value, id])
    try {
      const pending = await client.redeliverWebhook(id, { signal: list.closed })
      replace(pending)
      return await endOf(pending)
    } catch (error) {
      if (list.closed.aborted) return null
      throw error
    } finally {
      sending.value = new Set([...sending.value].filter((one) => one !== id))
    }
  }

  async function endOf(pending: WebhookDelivery): Promise<WebhookDelivery> {
    let found = pending
    for (const ms of lookMs) {
      await sleep(clock, ms, list.closed)
      found = await client.getWebhookDelivery(pending.webhook_id, { signal: list.closed })
      if (found.attempts.length > pending.attempts.length) break
    }
    replace(found)
    return found
  }

  function replace(delivery: WebhookDelivery): void {
    list.items.value = list.items.value.map((one) =>
      one.webhook_id === delivery.webhook_id ? delivery : one,
    )
  }
}

export type DeliveryList = ReturnType<typeof createDeliveryList>
