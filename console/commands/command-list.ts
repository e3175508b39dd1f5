import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createPageList } from '../lists/page-list.ts'
import { noteRecords } from '../shell/follow-progress.ts'
import { onEvents } from '../shell/live.ts'
import { isFiltered, listRequest, pageSize } from './filters.ts'
import { applyEvents, newIds, rowsFor } from './list-rows.ts'
import { hasPicture } from './row-words.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountEvent, CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Filters } from './filters.ts'
import type { PageList } from '../lists/page-list.ts'
import type { Row } from './list-rows.ts'

/** Commands that begin, or end with a picture, within this time are read by one request. */
const readAgainMs = 400

/** The list on the screen: rows by a request, then changed by events. */
export function createCommandList(
  client: Client,
  filters: Filters,
  clock: Clock = browserEffects.clock,
) {
  const list: PageList<Row> = createPageList({
    clock,
    listen: () => onEvents(take),
    async readPage(signal) {
      const request = listRequest(filters, clock.wall().getTime())
      const found = await client.listCommands(request, { signal })
      noteRecords(found)
      return { items: rowsFor(found, list.items.value), hasOlder: found.length === pageSize }
    },
  })
  return list

  function take(events: readonly AccountEvent[]): void {
    const rows = list.items.value
    applyEvents(rows, events)
    const added = newIds(rows, events, filters)
    if (rows.some((row) => isUnread(row.peek()))) list.readSoon(readAgainMs)
    // Under filters, an event does not say whether its command is on the list.
    if (added.length > 0) list.readSoon(readAgainMs, isFiltered(filters) ? [] : added)
  }
}

/** An event has no URL of the picture of a command that has ended. */
function isUnread(item: CommandListItem): boolean {
  return item.status === 'SUCCESS' && item.preview_url === undefined && hasPicture(item)
}
