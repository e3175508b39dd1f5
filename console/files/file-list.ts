import { signal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createReadSoon } from '../lists/read-soon.ts'
import { onConnect, onFiles } from '../shell/live.ts'
import { listRequest, pageSize } from './file-filters.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { FileEvent } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { FileFilters } from './file-filters.ts'
import type { ListedFile } from './file-facts.ts'

/** Files that come within this time are read by one request. */
const readAgainMs = 700

/** The files on the screen: a page by a request, read again when events say that it has changed. */
export function createFileList(
  client: Client,
  filters: FileFilters,
  clock: Clock = browserEffects.clock,
) {
  const files = signal<readonly ListedFile[]>([])
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const hasOlder = signal(false)
  /** Files that came while the list is held; it does not move under the pointer. */
  const waiting = signal<ReadonlySet<string>>(new Set())
  const stop = new AbortController()
  let isHeld = false
  const reading = createReadSoon(read, clock)

  const stopEvents = onFiles(take)
  const stopConnections = onConnect(() => reading.soon(0))
  void read()

  return {
    files,
    state,
    problem,
    hasOlder,
    waiting,
    read,
    hold(held: boolean) {
      isHeld = held
      if (!held && waiting.value.size > 0) reading.soon(0)
    },
    remove(ids: ReadonlySet<string>) {
      files.value = files.value.filter(({ file_id: id }) => !ids.has(id))
    },
    close() {
      stop.abort()
      stopEvents()
      stopConnections()
      reading.close()
    },
  }

  async function read(): Promise<void> {
    try {
      const now = clock.wall().getTime()
      const found = await client.listFiles(listRequest(filters, now), { signal: stop.signal })
      files.value = found
      hasOlder.value = found.length === pageSize
      waiting.value = new Set()
      state.value = 'ready'
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      // Files on the screen stay readable.
      if (files.value.length === 0) state.value = 'failed'
    }
  }

  function take({ file_id: id, status, command_id: command }: FileEvent): void {
    const known = files.value.find((file) => file.file_id === id)
    if (known !== undefined) {
      if (known.status !== status) void readOne(id)
      return
    }
    if (filters.before !== null) return
    if (filters.command !== null && filters.command !== command) return
    if (!isHeld) reading.soon(readAgainMs)
    else if (!waiting.value.has(id)) waiting.value = new Set([...waiting.value, id])
  }

  async function readOne(id: string): Promise<void> {
    try {
      const found = await client.getFile(id, {}, { signal: stop.signal })
      files.value = files.value.map((file) => (file.file_id === id ? found : file))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) files.value = without(id)
    }
  }

  function without(id: string): ListedFile[] {
    return files.value.filter((file) => file.file_id !== id)
  }
}

export type FileList = ReturnType<typeof createFileList>
