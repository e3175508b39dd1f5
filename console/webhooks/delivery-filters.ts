import { addressFilters, anyText, offset, oneOf } from '../lists/address-filters.ts'
import type { Requests, WebhookEvent } from '../../common/openapi/openapi-types.ts'

export const stateFilters = {
  all: 'All',
  delivered: 'Delivered',
  waiting: 'Waiting',
  failed: 'Failed',
} as const
const statusOf = { delivered: 'DELIVERED', waiting: 'PENDING', failed: 'FAILED' } as const

/** Each event and what it says. */
export const events: Readonly<Record<WebhookEvent, string>> = {
  'command.finished': 'A command has ended',
  'file.stored': 'A file of a URL or an upload is stored',
  'file.failed': 'Such a file could not be stored',
}

export const pageSize = 25

const address = addressFilters({
  state: oneOf(stateFilters, 'all'),
  event: oneOf(events, null),
  /** Events of this command alone. */
  command: anyText,
  from: offset,
  /** The delivery whose details are open. */
  open: anyText,
})
export const { filtersIn, queryOf } = address
export type DeliveryFilters = ReturnType<typeof filtersIn>

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

export const isFiltered = (filters: DeliveryFilters) =>
  address.hasAny(filters, ['state', 'event', 'command'])
