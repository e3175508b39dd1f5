import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createPageList } from '../lists/page-list.ts'
import { onFiles } from '../shell/live.ts'
import { listRequest, pageSize } from './file-filters.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { FileEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { FileFilters } from './file-filters.ts'
import type { ListedFile } from './file-facts.ts'

/** Files that come within this time are read by one request. */
const readAgainMs = 700

/** The files on the screen. One whose state changes is read alone. */
export function createFileList(
  client: Client,
  filters: FileFilters,
  clock: Clock = browserEffects.clock,
) {
  const list = createPageList<ListedFile>({
    clock,
    listen: () => onFiles(take),
    async readPage(signal) {
      const request = listRequest(filters, clock.wall().getTime())
      const items = await client.listFiles(request, { signal })
      return { items, hasOlder: items.length === pageSize }
    },
  })
  return { ...list, remove }

  function remove(ids: ReadonlySet<string>): void {
    list.items.value = list.items.value.filter(({ file_id: id }) => !ids.has(id))
  }

  function take({ file_id: id, status, command_id: command }: FileEvent): void {
    const known = list.items.value.find((file) => file.file_id === id)
    if (known !== undefined) {
      if (known.status !== status) void readOne(id)
      return
    }
    if (filters.before !== null) return
    if (filters.command !== null && filters.command !== command) return
    list.readSoon(readAgainMs, [id])
  }

  async function readOne(id: string): Promise<void> {
    try {
      const found = await client.getFile(id, {}, { signal: list.closed })
      list.items.value = list.items.value.map((file) => (file.file_id === id ? found : file))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) remove(new Set([id]))
    }
  }
}

export type FileList = ReturnType<typeof createFileList>
