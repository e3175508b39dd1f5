import { failures, isErrorStatus } from '../../common/domain/failures.ts'
import { createdSince, oneOf, sinceFilters } from '../lists/since-filter.ts'
import type { SinceFilter } from '../lists/since-filter.ts'
import type { Requests } from '../../common/openapi/openapi-types.ts'

/** State of the list; it lies in the address, so that a list can be sent to a colleague. */
export interface Filters {
  readonly state: StateFilter
  /** One kind of failure; only with the state `failed`. */
  readonly error: string | null
  readonly since: SinceFilter
  /** Values by keys, at most three; only with a span of time. */
  readonly metadata: Readonly<Record<string, string>>
  /** The page begins behind this command. */
  readonly before: string | null
}

export const stateFilters = {
  all: 'All',
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const
export type StateFilter = keyof typeof stateFilters

export const pageSize = 50

export function filtersIn(query: URLSearchParams): Filters {
  const state = oneOf(stateFilters, query.get('state'), 'all')
  const error = query.get('error') ?? ''
  const metadata = metadataIn(query)
  const usual = Object.keys(metadata).length > 0 ? 'month' : 'any'
  return {
    state,
    error: state === 'failed' && isErrorStatus(error) ? error : null,
    since: oneOf(sinceFilters, query.get('since'), usual),
    metadata,
    before: query.get('before'),
  }
}

export function queryOf({ state, error, since, metadata, before }: Filters): URLSearchParams {
  const query = new URLSearchParams()
  if (state !== 'all') query.set('state', state)
  if (error !== null && state === 'failed') query.set('error', error)
  if (since !== 'any') query.set('since', since)
  for (const [key, value] of Object.entries(metadata)) query.set(`metadata.${key}`, value)
  if (before !== null) query.set('before', before)
  return query
}

/** @param now ms */
export function listRequest(filters: Filters, now: number): Requests['listCommands']['query'] {
  return {
    limit: pageSize,
    expand: 'progress,request',
    ...statesOf(filters),
    ...createdSince(filters.since, now),
    ...(Object.keys(filters.metadata).length === 0 ? {} : { metadata: filters.metadata }),
    ...(filters.before === null ? {} : { before_id: filters.before }),
  }
}

export function isFiltered({ state, since, metadata }: Filters): boolean {
  return state !== 'all' || since !== 'any' || Object.keys(metadata).length > 0
}

export const mostMetadata = 3

/** Filters with one value more, from `key=value` or `key: value`; null for any other text. */
export function withMetadata({ metadata, since }: Filters, text: string): Partial<Filters> | null {
  const [, key, value] = /^\s*([^\s=:][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(text) ?? []
  if (key === undefined || value === undefined) return null
  // The service searches at most 31 days.
  return { metadata: { ...metadata, [key]: value }, since: since === 'any' ? 'month' : since }
}

function metadataIn(query: URLSearchParams): Record<string, string> {
  const prefix = 'metadata.'
  const found = [...query]
    .filter(([name]) => name.startsWith(prefix) && name.length > prefix.length)
    .map(([name, value]) => [name.slice(prefix.length), value] as const)
  return Object.fromEntries(found.slice(0, mostMetadata))
}

/** A cancelled command is a failed one for the API. */
function statesOf({ state, error }: Filters): Requests['listCommands']['query'] {
  const others = Object.keys(failures).filter((one) => one !== 'CANCELLED')
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
      return { status: 'FAILED', error_status: error ?? others.join(',') }
    case 'cancelled':
      return { status: 'FAILED', error_status: 'CANCELLED' }
  }
}
