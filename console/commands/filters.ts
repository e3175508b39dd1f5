import { failures } from '../../common/domain/failures.ts'
import { addressFilters, anyText, oneOf } from '../lists/address-filters.ts'
import { createdSince, sinceFilters } from '../lists/since-filter.ts'
import type { Requests } from '../../common/openapi/openapi-types.ts'

export const stateFilters = {
  all: 'All',
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const

const { CANCELLED: _, ...causes } = failures

/** Causes of failures with their sentences. A cancelled command is a failed one for the API alone. */
export const causeWords = Object.fromEntries(
  Object.entries(causes).map(([name, { sentence }]) => [name, sentence]),
) as Readonly<Record<keyof typeof causes, string>>

export const pageSize = 50

const address = addressFilters({
  state: oneOf(stateFilters, 'all'),
  /** Only with the state `failed`. */
  error: oneOf(causeWords, null),
  since: oneOf(sinceFilters, 'any'),
  /** Text in a command, in the name of a file, or in an id. */
  search: anyText,
  /** The page begins behind this command. */
  before: anyText,
})

export interface Filters extends ReturnType<typeof address.filtersIn> {
  /** Values by keys, at most three; only with a span of time. */
  readonly metadata: Readonly<Record<string, string>>
}

export function filtersIn(query: URLSearchParams): Filters {
  const filters = address.filtersIn(query)
  const metadata = metadataIn(query)
  return {
    ...filters,
    error: filters.state === 'failed' ? filters.error : null,
    since: sinceWith(filters.since, metadata),
    metadata,
  }
}

export function queryOf({ metadata, ...filters }: Filters): URLSearchParams {
  const query = address.queryOf(filters)
  for (const [key, value] of Object.entries(metadata)) query.set(`metadata.${key}`, value)
  return query
}

/** @param now ms */
export function listRequest(filters: Filters, now: number): Requests['listCommands']['query'] {
  return {
    limit: pageSize,
    expand: 'progress,request,names,preview',
    ...statesOf(filters),
    ...createdSince(filters.since, now),
    ...(filters.search === null ? {} : { search: filters.search }),
    ...(Object.keys(filters.metadata).length === 0 ? {} : { metadata: filters.metadata }),
    ...(filters.before === null ? {} : { before_id: filters.before }),
  }
}

/** Metadata has a span of time with it. */
export const isFiltered = (filters: Filters) =>
  address.hasAny(filters, ['state', 'since', 'search'])

export const mostMetadata = 3

/** Filters with one value more, from `key=value` or `key: value`; null for any other text. */
export function withMetadata({ metadata, since }: Filters, text: string): Partial<Filters> | null {
  const [, key, value] = /^\s*([^\s=:][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(text) ?? []
  if (key === undefined || value === undefined) return null
  const values = { ...metadata, [key]: value }
  return { metadata: values, since: sinceWith(since, values) }
}

/** The service searches metadata in at most 31 days. */
function sinceWith(since: Filters['since'], metadata: Filters['metadata']): Filters['since'] {
  return since === 'any' && Object.keys(metadata).length > 0 ? 'month' : since
}

function metadataIn(query: URLSearchParams): Record<string, string> {
  const prefix = 'metadata.'
  const found = [...query]
    .filter(([name]) => name.startsWith(prefix) && name.length > prefix.length)
    .map(([name, value]) => [name.slice(prefix.length), value] as const)
  return Object.fromEntries(found.slice(0, mostMetadata))
}

function statesOf({ state, error }: Filters): Requests['listCommands']['query'] {
  switch (state) {
    case 'all':
      return {}
    case 'waiting':
      return { status: 'QUEUED' }
    case 'running':
      return { status: 'PROCESSING,PREPARED_FFMPEG_COMMAND' }
    case 'done':
      return { status: 'SUCCESS' }
    case 'failed':
      return { status: 'FAILED', error_status: error ?? Object.keys(causeWords).join(',') }
    case 'cancelled':
      return { status: 'FAILED', error_status: 'CANCELLED' }
  }
}
