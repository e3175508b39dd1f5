import { addressFilters, anyText, oneOf } from '../lists/address-filters.ts'
import { createdSince, sinceFilters } from '../lists/since-filter.ts'
import type { Requests } from '../../common/openapi/openapi-types.ts'

export const typeFilters = {
  all: 'All',
  video: 'Video',
  image: 'Image',
  audio: 'Audio',
  playlist: 'Playlist',
  other: 'Other',
} as const
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

export const viewFilters = { grid: 'Grid', list: 'List' } as const

export const pageSize = 48

const address = addressFilters({
  type: oneOf(typeFilters, 'all'),
  kind: oneOf(kindFilters, 'any'),
  since: oneOf(sinceFilters, 'any'),
  /** Outputs of this command alone. */
  command: anyText,
  /** The page begins behind this file. */
  before: anyText,
  view: oneOf(viewFilters, 'grid'),
  /** The file whose details are open. */
  open: anyText,
})
export const { filtersIn, queryOf } = address
export type FileFilters = ReturnType<typeof filtersIn>

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

export const isFiltered = (filters: FileFilters) =>
  address.hasAny(filters, ['type', 'kind', 'since', 'command'])
