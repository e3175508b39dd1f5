import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { AccountEvent, CommandListItem } from '../../common/openapi/openapi-types.ts'

export type Row = Signal<CommandListItem>

/** The item after an event; null where nothing changed or the event is older than the item. */
export function updated(item: CommandListItem, event: AccountEvent): CommandListItem | null {
  if (item.finished_at !== null) return null
  return {
    ...item,
    status: event.status,
    error_status: event.error_status,
    error_message: event.error_message,
    finished_at: event.finished_at,
    processing_stage: event.processing_stage,
    progress_percent: event.progress_percent,
    queue_position: event.queue_position,
    queue_reason: event.queue_reason,
    started_at: event.started_at,
  }
}

/**
 * Rows for a page that was read again: a command that is shown keeps its row, so that only what
 * changed is drawn.
 */
export function rowsFor(items: readonly CommandListItem[], shown: readonly Row[]): Row[] {
  const known = new Map(shown.map((row) => [row.peek().command_id, row]))
  return items.map((item) => {
    const row = known.get(item.command_id)
    if (row === undefined) return signal(item)
    row.value = item
    return row
  })
}
