import { linesOf } from '../parts/message-lines.ts'
import { hasEnded } from '../parts/state.ts'
import { nameOf, pictureKind } from '../preview/preview-kind.ts'
import { duration, secondsTaken } from '../parts/relative-time.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

/** The first command, with the number of those that follow it in a chain. */
export function commandText({ ffmpeg_command, steps_count = 1, command_id }: CommandListItem) {
  const text = ffmpeg_command ?? `Command ${command_id}, whose request was deleted`
  return steps_count > 1 ? `${text}  (+ ${steps_count - 1} more)` : text
}

/** First line of the error; null for a command that has not failed, or was cancelled. */
export function failureLine({ status, error_status, error_message }: CommandListItem) {
  if (status !== 'FAILED' || error_status === 'CANCELLED') return null
  return linesOf(error_message)[0] ?? ''
}

export function metadataWords({ metadata }: Pick<CommandListItem, 'metadata'>): string {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ')
}

/** Time from the start to the end, or the rest of it. @param timeLeft empty where it is not known */
export function tookWords(item: CommandListItem, timeLeft: string): string {
  if (!hasEnded(item)) return timeLeft || '—'
  const seconds = secondsTaken(item)
  return seconds === null ? '—' : duration(seconds)
}

/**
 * Whether a row has room for a picture: it has one, or names of outputs promise one and the list was not read since the end.
 */
export function hasPicture(item: CommandListItem): boolean {
  const { preview_url: url, output_names: names } = item
  if (typeof url === 'string') return pictureKind(nameOf({ storage_url: url })) !== null
  if (item.status === 'FAILED' || (url === null && item.status === 'SUCCESS')) return false
  return (names ?? []).some((name) => pictureKind(name) !== null)
}
