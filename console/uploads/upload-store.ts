import { signal } from '@preact/signals'
import { createLimit } from '../../common/bounded/limit.ts'
import { ApiError } from '../../cli/client/errors.ts'
import { idOf } from './browser-journal.ts'
import { createUploadEntry } from './upload-entry.ts'
import { factsOf, sendUpload } from './send-upload.ts'
import type { Unfinished } from './browser-journal.ts'
import type { UploadDeps } from './send-upload.ts'
import type { Upload, UploadState } from './upload.ts'
import type { Named, UploadEntry } from './upload-entry.ts'

const filesAtOnce = 2

/** Uploads of one account, which go on while the user is on other pages. */
export function createUploads(deps: UploadDeps) {
  const { client, accountId, journals } = deps
  const list = signal<readonly Upload[]>([])
  const entries = new Map<string, UploadEntry>()
  const limit = createLimit(filesAtOnce)
  let isClosed = false

  async function send(entry: UploadEntry): Promise<void> {
    if (!isClosed) await sendUpload(entry, deps, limit)
  }

  function begin(named: Named, state: UploadState): UploadEntry {
    const entry = createUploadEntry(named, state, { send, discard })
    entries.set(named.id, entry)
    list.value = [...list.value, entry.upload]
    return entry
  }

  async function discard({ upload: { id, state }, stop, fileId }: UploadEntry): Promise<void> {
    stop.abort(new Error('discarded'))
    entries.delete(id)
    list.value = list.value.filter((one) => one.id !== id)
    if (state.peek().kind === 'done') return
    await Promise.allSettled([
      fileId === null ? undefined : client.abortUpload(fileId),
      journals?.remove(id),
    ])
  }

  async function restore(found: Unfinished): Promise<void> {
    if (!(await isQueued(found, deps)) || entries.has(found.id)) return
    const entry = begin({ ...found, sizeBytes: found.file.sizeBytes }, { kind: 'interrupted' })
    entry.fileId = found.fileId
    entry.upload.sentBytes.value = found.storedBytes
  }

  return {
    list,
    /** A file that is uploaded already, or was before this page was loaded, goes on. */
    add(file: File, isPrivate: boolean): Upload {
      const { name, size: sizeBytes } = file
      const id = idOf(accountId, name, factsOf(file))
      const known = entries.get(id)
      const entry = known ?? begin({ id, name, sizeBytes }, { kind: 'waiting' })
      entry.file = file
      const { state } = entry.upload
      const { kind } = state.peek()
      if (sizeBytes === 0) {
        state.value = { kind: 'failed', problem: new Error(`${name} is empty`) }
      } else if (known === undefined || kind === 'interrupted' || kind === 'failed') {
        entry.isPrivate = isPrivate
        void send(entry)
      }
      return entry.upload
    },
    /** Lists what another load of the page has begun. */
    async restoreAll(): Promise<void> {
      await Promise.all(((await journals?.unfinished(accountId)) ?? []).map(restore))
    },
    close() {
      isClosed = true
      for (const { stop } of entries.values()) stop.abort(new Error('closed'))
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** Whether the service still waits for the rest of an upload; if not, its journal is removed. */
async function isQueued({ id, fileId }: Unfinished, { client, journals }: UploadDeps) {
  try {
    const { status } = await client.getFile(fileId)
    if (status === 'QUEUED') return true
    await journals?.remove(id)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) await journals?.remove(id)
  }
  return false
}
