import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { isFiltered } from './filters.ts'
import type { AccountEvent, CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Filters } from './filters.ts'

export type Row = Signal<CommandListItem>

/** The item after an event; null where nothing changed or the event is older than the item. */
export function updated(item: CommandListItem, event: AccountEvent): CommandListItem | null {
  if (item.finished_at !== null) return null
  // Not known until the list is read again.
  const { preview_url: _, ...known } = item
  return {
    ...known,
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

/** Changes the rows of which the events are. */
export function applyEvents(rows: readonly Row[], events: readonly AccountEvent[]): void {
  const byId = new Map(rows.map((row) => [row.peek().command_id, row]))
  for (const event of events) {
    const row = byId.get(event.command_id)
    const next = row === undefined ? null : updated(row.peek(), event)
    if (row !== undefined && next !== null) row.value = next
  }
}

/** Ids of commands that the page may have after the events and does not show yet. */
export function newIds(
  rows: readonly Row[],
  events: readonly AccountEvent[],
  filters: Filters,
): string[] {
  // A page behind the first one has no place for new commands, nor one of old times.
  if (filters.before !== null) return []
  const shown = new Set(rows.map((row) => row.peek().command_id))
  const newest = rows[0]?.peek().command_id
  // Ids of commands grow with time; older ones are on the pages behind this one.
  const isNewer = (id: string) => newest === undefined || id > newest || isFiltered(filters)
  const ids = new Set(events.map((event) => event.command_id))
  return [...ids].filter((id) => !shown.has(id) && isNewer(id))
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
