import type { Requests, WebhookEvent } from '../../common/openapi/openapi-types.ts'

/** State of the list; it lies in the address. */
export interface DeliveryFilters {
  readonly state: StateFilter
  readonly event: WebhookEvent | null
  /** Events of this command alone. */
  readonly command: string | null
  /** Deliveries that are on the pages before. */
  readonly from: number
  /** The delivery whose details are open. */
  readonly open: string | null
}

export const stateFilters = {
  all: 'All',
  delivered: 'Delivered',
  waiting: 'Waiting',
  failed: 'Failed',
} as const
export type StateFilter = keyof typeof stateFilters
const statusOf = { delivered: 'DELIVERED', waiting: 'PENDING', failed: 'FAILED' } as const

/** Each event and what it says. */
export const events: Readonly<Record<WebhookEvent, string>> = {
  'command.finished': 'A command has ended',
  'file.stored': 'A file of a URL or an upload is stored',
  'file.failed': 'Such a file could not be stored',
}

export const pageSize = 25

export function filtersIn(query: URLSearchParams): DeliveryFilters {
  const state = query.get('state') ?? ''
  const event = query.get('event') ?? ''
  const from = Number(query.get('from') ?? 0)
  return {
    state: Object.hasOwn(stateFilters, state) ? (state as StateFilter) : 'all',
    event: Object.hasOwn(events, event) ? (event as WebhookEvent) : null,
    command: query.get('command'),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
    open: query.get('open'),
  }
}

export function queryOf({ state, event, command, from, open }: DeliveryFilters): URLSearchParams {
  const query = new URLSearchParams()
  if (state !== 'all') query.set('state', state)
  if (event !== null) query.set('event', event)
  if (command !== null) query.set('command', command)
  if (from > 0) query.set('from', String(from))
  if (open !== null) query.set('open', open)
  return query
}

/** One more than a page shows whether there is another. */
export function listRequest({
  state,
  event,
  command,
  from,
}: DeliveryFilters): Requests['listWebhookDeliveries']['query'] {
  return {
    limit: pageSize + 1,
    offset: from,
    ...(state === 'all' ? {} : { status: statusOf[state] }),
    ...(event === null ? {} : { event }),
    ...(command === null ? {} : { command_id: command }),
  }
}

export function isFiltered({ state, event, command }: DeliveryFilters): boolean {
  return state !== 'all' || event !== null || command !== null
}
