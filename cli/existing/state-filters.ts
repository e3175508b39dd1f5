import { stateWords } from '../../common/words/state-words.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

/**
 * The filter of a list for each word: the API takes one list of causes for all states, and a command that is done has
 * none.
 * @throws UsageError for another word
 */
export function stateFilters(text: string): object[] {
  return [...new Set(text.toLowerCase().split(','))].map((word) => {
    const which = Object.hasOwn(stateWords, word) ? stateWords[word] : undefined
    if (which === undefined) {
      throw new UsageError(`--status takes ${Object.keys(stateWords).join(', ')}, not '${text}'`)
    }
    const { statuses, errorStatuses } = which
    return {
      status: statuses.join(','),
      ...(errorStatuses === null ? {} : { error_status: errorStatuses.join(',') }),
    }
  })
}

/** One list of several, newest first. */
export function newestOf(lists: readonly CommandListItem[][], limit: number): CommandListItem[] {
  const byTime = (a: CommandListItem, b: CommandListItem) =>
    b.created_at.localeCompare(a.created_at) || b.command_id.localeCompare(a.command_id)
  return lists.flat().toSorted(byTime).slice(0, limit)
}
