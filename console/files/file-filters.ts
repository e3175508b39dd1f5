import { createdSince, oneOf, sinceFilters } from '../lists/since-filter.ts'
import type { SinceFilter } from '../lists/since-filter.ts'
import type { Requests } from '../../common/openapi/openapi-types.ts'

/** State of the page; it lies in the address, so that a list can be sent to a colleague. */
export interface FileFilters {
  readonly type: TypeFilter
  readonly kind: KindFilter
  readonly since: SinceFilter
  /** Outputs of this command alone. */
  readonly command: string | null
  /** The page begins behind this file. */
  readonly before: string | null
  readonly view: 'grid' | 'list'
  /** The file whose details are open. */
  readonly open: string | null
}

export const typeFilters = {
  all: 'All',
  video: 'Video',
  image: 'Image',
  audio: 'Audio',
  playlist: 'Playlist',
  other: 'Other',
} as const
export type TypeFilter = keyof typeof typeFilters
const typesOf = {
  video: 'video',
  image: 'image',
  audio: 'audio',
  playlist: 'output_manifest',
  other: 'subtitles,zip,other',
} as const

export const kindFilters = {
  any: 'From anywhere',
  output: 'Outputs',
  upload: 'Uploads',
  url: 'From URLs',
} as const
export type KindFilter = keyof typeof kindFilters

export const pageSize = 48

export function filtersIn(query: URLSearchParams): FileFilters {
  return {
    type: oneOf(typeFilters, query.get('type'), 'all'),
    kind: oneOf(kindFilters, query.get('kind'), 'any'),
    since: oneOf(sinceFilters, query.get('since'), 'any'),
    command: query.get('command'),
    before: query.get('before'),
    view: query.get('view') === 'list' ? 'list' : 'grid',
    open: query.get('open'),
  }
}

export function queryOf(filters: FileFilters): URLSearchParams {
  const { type, kind, since, command, before, view, open } = filters
  const query = new URLSearchParams()
  if (type !== 'all') query.set('type', type)
  if (kind !== 'any') query.set('kind', kind)
  if (since !== 'any') query.set('since', since)
  if (command !== null) query.set('command', command)
  if (before !== null) query.set('before', before)
  if (view !== 'grid') query.set('view', view)
  if (open !== null) query.set('open', open)
  return query
}

/** @param now ms */
export function listRequest(
  { type, kind, since, command, before }: FileFilters,
  now: number,
): Requests['listFiles']['query'] {
  return {
    limit: pageSize,
    ...(type === 'all' ? {} : { file_type: typesOf[type] }),
    ...(kind === 'any' ? {} : { kind }),
    ...createdSince(since, now),
    ...(command === null ? {} : { command_id: command }),
    ...(before === null ? {} : { before_id: before }),
  }
}

export function isFiltered({ type, kind, since, command }: FileFilters): boolean {
  return type !== 'all' || kind !== 'any' || since !== 'any' || command !== null
}
