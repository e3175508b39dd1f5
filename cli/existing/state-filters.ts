import { failures } from '../../common/domain/failures.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

const otherCauses = Object.keys(failures)
  .filter((kind) => kind !== 'CANCELLED')
  .join(',')

/** FAILED is the state of failed and cancelled commands; their cause tells them apart. */
const filters: Readonly<Record<string, object>> = {
  queued: { status: 'QUEUED' },
  running: { status: 'PROCESSING,PREPARED_FFMPEG_COMMAND' },
  failed: { status: 'FAILED', error_status: otherCauses },
  cancelled: { status: 'FAILED', error_status: 'CANCELLED' },
  done: { status: 'SUCCESS' },
}

/**
 * The filter of a list for each word: the API takes one list of causes for all states, and a command that is done has
 * none.
 * @throws UsageError for another word
 */
export function stateFilters(text: string): object[] {
  return [...new Set(text.toLowerCase().split(','))].map((word) => {
    if (Object.hasOwn(filters, word)) return filters[word] ?? {}
    throw new UsageError(`--status takes ${Object.keys(filters).join(', ')}, not '${text}'`)
  })
}

/** One list of several, newest first. */
export function newestOf(lists: readonly CommandListItem[][], limit: number): CommandListItem[] {
  const byTime = (a: CommandListItem, b: CommandListItem) =>
    b.created_at.localeCompare(a.created_at) || b.command_id.localeCompare(a.command_id)
  return lists.flat().toSorted(byTime).slice(0, limit)
}
