import { Button } from '../controls/button.tsx'
import { Chips, Select } from '../controls/choices.tsx'
import { Skeleton } from '../controls/skeleton.tsx'
import { useAddress, useStore } from '../controls/page-hooks.ts'
import { InsteadOfItems, ListPages } from '../lists/list-frame.tsx'
import { Icon } from '../controls/icons.tsx'
import { reasonOf, say } from '../parts/notices.ts'
import { go, href } from '../shell/navigation.ts'
import { createDeliveryList } from './delivery-list.ts'
import { filtersIn, isFiltered, pageSize, queryOf, stateFilters } from './delivery-filters.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { sentAgainWords } from './delivery-words.ts'
import type { WebhookEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { DeliveryFilters } from './delivery-filters.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
  readonly hasUrl: boolean
}

export function Deliveries({ client, query, hasUrl }: Props) {
  const filters = useAddress(query, filtersIn)
  const listed = useAddress(queryOf({ ...filters, open: null }), filtersIn)
  const list = useStore(() => createDeliveryList(client, listed), [client, listed])
  const { from } = filters
  const pageFrom = (at: number) =>
    href({ page: 'webhooks', query: queryOf({ ...filters, from: at, open: null }) })
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
    <section class="column" aria-label="Deliveries">
      <FilterBar filters={filters} change={change} read={list.read} />
      {list.items.value.length > 0 && (
        <ul class="frame">
          {list.items.value.map((delivery) => {
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
      {list.state.value === 'failed' ? (
        <p class="problem">{reasonOf(list.problem.value)}</p>
      ) : (
        <InsteadOfItems
          list={list}
          item="delivery"
          loading={<Skeleton rows={2} late="Still asking for the deliveries." />}
          unfiltered={isFiltered(filters) || from > 0 ? href({ page: 'webhooks' }) : null}
        >
          <p>
            {hasUrl ? 'No event yet. A test shows whether the receiver answers.' : 'No event yet.'}
          </p>
          <p class="muted">
            Events go to the URL above, or to a command's own webhook_url. They are listed for 30
            days.
          </p>
        </InsteadOfItems>
      )}
      <ListPages
        newer={from > 0 ? pageFrom(Math.max(0, from - pageSize)) : null}
        older={list.hasOlder.value ? pageFrom(from + pageSize) : null}
      />
    </section>
  )
}

interface BarProps {
  readonly filters: DeliveryFilters
  readonly change: (next: Partial<DeliveryFilters>) => void
  readonly read: () => Promise<void>
}

const eventNames = {
  '': 'Any event',
  'command.finished': 'command.finished',
  'file.stored': 'file.stored',
  'file.failed': 'file.failed',
} as const satisfies Readonly<Record<WebhookEvent | '', string>>

function FilterBar({ filters, change, read }: BarProps) {
  return (
    <div class="filters row">
      <h2>Deliveries</h2>
      <Chips
        label="State"
        names={stateFilters}
        value={filters.state}
        choose={(state) => change({ state, from: 0, open: null })}
      />
      <Select
        label="Event"
        names={eventNames}
        value={filters.event ?? ''}
        choose={(event) => change({ event: event || null, from: 0 })}
      />
      {filters.command !== null && (
        <button type="button" class="chip" onClick={() => change({ command: null })}>
          Of one command
          <Icon name="failed" />
          <span class="off-screen">Show all deliveries</span>
        </button>
      )}
      <span class="space" />
      <Button look="quiet" onClick={read}>
        Refresh
      </Button>
    </div>
  )
}
