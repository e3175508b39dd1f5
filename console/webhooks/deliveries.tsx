import { useEffect, useMemo } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { reasonOf, say } from '../parts/notices.ts'
import { go, href } from '../shell/navigation.ts'
import { createDeliveryList } from './delivery-list.ts'
import {
  events,
  filtersIn,
  isFiltered,
  pageSize,
  queryOf,
  stateFilters,
} from './delivery-filters.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { sentAgainWords } from './delivery-words.ts'
import type { WebhookEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { DeliveryFilters, StateFilter } from './delivery-filters.ts'
import type { DeliveryList } from './delivery-list.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
  readonly hasUrl: boolean
}

export function Deliveries({ client, query, hasUrl }: Props) {
  const address = query.toString()
  const filters = useMemo(() => filtersIn(new URLSearchParams(address)), [address])
  const listed = queryOf({ ...filters, open: null }).toString()
  const list = useMemo(
    () => createDeliveryList(client, filtersIn(new URLSearchParams(listed))),
    [client, listed],
  )
  useEffect(() => () => list.close(), [list])
  const change = (next: Partial<DeliveryFilters>) =>
    go({ page: 'webhooks', query: queryOf({ ...filters, ...next }) }, 'replace')
  const sendAgain = async (id: string) => {
    try {
      const sent = await list.sendAgain(id)
      if (sent !== null) say(sentAgainWords(sent), sent.status !== 'DELIVERED')
    } catch (error) {
      say(reasonOf(error), true)
    }
  }
  return (
    <section class="deliveries-part" aria-label="Deliveries">
      <div class="filters">
        <h2>Deliveries</h2>
        <div class="chips" role="group" aria-label="State">
          {Object.entries(stateFilters).map(([name, words]) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={filters.state === name}
              onClick={() => change({ state: name as StateFilter, from: 0, open: null })}
            >
              {words}
            </button>
          ))}
        </div>
        <select
          aria-label="Event"
          value={filters.event ?? ''}
          onChange={({ currentTarget }) =>
            change({ event: (currentTarget.value || null) as WebhookEvent | null, from: 0 })
          }
        >
          <option value="">Any event</option>
          {Object.keys(events).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {filters.command !== null && (
          <button type="button" class="chip" onClick={() => change({ command: null })}>
            Of one command
            <Icon name="failed" />
            <span class="off-screen">Show all deliveries</span>
          </button>
        )}
        <span class="space" />
        <button type="button" class="button quiet" onClick={() => void list.read()}>
          Ask again
        </button>
      </div>
      {list.deliveries.value.length > 0 && (
        <ul class="delivery-list">
          {list.deliveries.value.map((delivery) => {
            const id = delivery.webhook_id
            const isOpen = filters.open === id
            return (
              <DeliveryRow
                key={id}
                client={client}
                delivery={delivery}
                isOpen={isOpen}
                isSending={list.sending.value.has(id)}
                toggle={() => change({ open: isOpen ? null : id })}
                sendAgain={() => void sendAgain(id)}
              />
            )
          })}
        </ul>
      )}
      <Instead list={list} filters={filters} hasUrl={hasUrl} />
      <Pages list={list} filters={filters} />
    </section>
  )
}

interface ListProps {
  readonly list: DeliveryList
  readonly filters: DeliveryFilters
}

function Instead({ list, filters, hasUrl }: ListProps & { readonly hasUrl: boolean }) {
  if (list.state.value === 'loading') {
    return (
      <div class="skeleton" aria-busy="true">
        <div class="skeleton-row" />
        <div class="skeleton-row" />
        <p class="late">Still asking for the deliveries.</p>
      </div>
    )
  }
  if (list.state.value === 'failed') return <p class="problem">{reasonOf(list.problem.value)}</p>
  if (list.deliveries.value.length > 0) return null
  if (isFiltered(filters) || filters.from > 0) {
    return (
      <div class="instead">
        <p>No delivery matches.</p>
        <a class="button" href={href({ page: 'webhooks' })}>
          Clear filters
        </a>
      </div>
    )
  }
  return (
    <div class="instead">
      <p>{hasUrl ? 'No event yet. A test shows whether the receiver answers.' : 'No event yet.'}</p>
      <p class="muted">
        Events go to the URL above, or to a command's own webhook_url. They are listed for 30 days.
      </p>
    </div>
  )
}

function Pages({ list, filters }: ListProps) {
  const to = (from: number) =>
    href({ page: 'webhooks', query: queryOf({ ...filters, from, open: null }) })
  if (filters.from === 0 && !list.hasOlder.value) return null
  return (
    <nav class="pages" aria-label="Pages">
      {filters.from > 0 && (
        <a class="button" href={to(Math.max(0, filters.from - pageSize))}>
          <Icon name="back" />
          Newer
        </a>
      )}
      {list.hasOlder.value && (
        <a class="button" href={to(filters.from + pageSize)}>
          Older
          <Icon name="next" />
        </a>
      )}
    </nav>
  )
}
