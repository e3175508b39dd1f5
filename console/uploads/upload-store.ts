import { signal } from '@preact/signals'
import { createLimit } from '../../common/bounded/limit.ts'
import { ApiError } from '../../cli/client/errors.ts'
import { UploadBlocked } from '../../cli/client/upload/part-errors.ts'
import { uploadParts } from '../../cli/client/upload/upload-parts.ts'
import { idOf, memoryJournal } from './browser-journal.ts'
import { EtagHidden, PartNotSent } from './put-part.ts'
import { createSpeed } from '../../cli/client/upload/speed.ts'
import { StorageTrouble, troubleOf } from './storage-trouble.ts'
import { remedyFor } from '../parts/storage-remedy.ts'
import type { Signal } from '@preact/signals'
import type { Clock } from '../../common/runtime/effects.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { FileFacts, UploadJournal } from '../../cli/client/upload/journal.ts'
import type { PartProgress, PartRange, PartRetry } from '../../cli/client/upload/upload-parts.ts'
import type { BrowserJournals, Unfinished } from './browser-journal.ts'
import type { putPart } from './put-part.ts'

export type UploadState =
  | { readonly kind: 'waiting' }
  /** `retry`: a part that failed and is not stored yet. */
  | { readonly kind: 'sending'; readonly retry: PartRetry | null }
  | { readonly kind: 'paused' }
  /** Begun before this page was loaded: the file has to be given again. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly problem: unknown }
  | { readonly kind: 'done'; readonly file: FileRecord }

export interface Upload {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  readonly state: Signal<UploadState>
  /** Never falls: a part that is sent again is counted once it exceeds what was sent. */
  readonly sentBytes: Signal<number>
  /** Bytes a second. */
  readonly speed: Signal<number | null>
  readonly pause: () => void
  readonly resume: () => void
  /** Ends it, in the storage too. */
  discard(): Promise<void>
}

export interface UploadDeps {
  readonly client: Client
  readonly accountId: string
  /** null: nothing may be stored in this browser. */
  readonly journals: BrowserJournals | null
  readonly clock: Clock
  readonly origin: string
  readonly fetch: typeof fetch
  readonly putPart: typeof putPart
}

/** Small, since an interruption loses the parts on their way; the service raises it for large files. */
const partSize = 8 * 1_048_576
/** Browsers open six connections per host over HTTP/1.1. */
const [filesAtOnce, partsAtOnce] = [2, 3]

/** Uploads of one account, which go on while the user is on other pages. */
export function createUploads(deps: UploadDeps) {
  const { client, accountId, journals, clock } = deps
  const list = signal<readonly Upload[]>([])
  const limit = createLimit(filesAtOnce)
  const stops = new Map<string, AbortController>()
  const files = new Map<string, File>()
  const fileIds = new Map<string, string>()
  /** A session that has ended begins anew, as private as before. */
  const privates = new Set<string>()
  const own = new Map<string, UploadJournal>()
  let isClosed = false

  const journalOf = ({ id, name, state }: Upload, facts: FileFacts): UploadJournal => {
    const journal = own.get(id) ?? journals?.journal(accountId, name, facts) ?? memoryJournal()
    own.set(id, journal)
    return {
      ...journal,
      async read() {
        const begun = await journal.read()
        if (begun !== null) fileIds.set(id, begun.session.file_id)
        return begun
      },
      begin(file, session) {
        fileIds.set(id, session.file_id)
        return journal.begin(file, session)
      },
      async stored(part, etag) {
        const shown = state.peek()
        if (shown.kind === 'sending' && shown.retry?.part === part) {
          state.value = { kind: 'sending', retry: null }
        }
        await journal.stored(part, etag)
      },
    }
  }

  function entry(id: string, name: string, sizeBytes: number, state: UploadState): Upload {
    const upload: Upload = {
      id,
      name,
      sizeBytes,
      state: signal(state),
      sentBytes: signal(0),
      speed: signal(null),
      pause() {
        upload.state.value = { kind: 'paused' }
        stops.get(id)?.abort(new Error('paused'))
      },
      resume: () => void send(upload),
      async discard() {
        stops.get(id)?.abort(new Error('discarded'))
        list.value = list.value.filter((one) => one.id !== id)
        if (upload.state.peek().kind === 'done') return
        await Promise.allSettled([abortOf(id), journals?.remove(id)])
      },
    }
    list.value = [...list.value.filter((one) => one.id !== id), upload]
    return upload
  }

  async function abortOf(id: string): Promise<void> {
    const fileId = fileIds.get(id)
    if (fileId !== undefined) await client.abortUpload(fileId)
  }

  async function send(upload: Upload): Promise<void> {
    const { id, name, state } = upload
    const isPrivate = privates.has(id)
    const file = files.get(id)
    if (file === undefined || isClosed) return
    stops.get(id)?.abort(new Error('begun again'))
    const stop = new AbortController()
    stops.set(id, stop)
    state.value = { kind: 'waiting' }
    const facts = factsOf(file)
    try {
      const record = await limit(async () => {
        stop.signal.throwIfAborted()
        state.value = { kind: 'sending', retry: null }
        return uploadParts({
          client,
          clock,
          name,
          isPrivate,
          partSize,
          parallel: partsAtOnce,
          signal: stop.signal,
          journal: journalOf(upload, facts),
          facts: async () => facts,
          put: createPut(deps, file),
          onProgress: progressOf(upload, clock),
          onRetry: (retry) => (state.value = { kind: 'sending', retry }),
        })
      })
      upload.sentBytes.value = upload.sizeBytes
      state.value = { kind: 'done', file: record }
    } catch (problem) {
      // Paused or discarded: the state says so already.
      if (!stop.signal.aborted) state.value = { kind: 'failed', problem }
    }
    upload.speed.value = null
  }

  async function restore(found: Unfinished): Promise<void> {
    try {
      const { status } = await client.getFile(found.fileId)
      if (status !== 'QUEUED') {
        await journals?.remove(found.id)
        return
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) await journals?.remove(found.id)
      return
    }
    if (list.peek().some(({ id }) => id === found.id)) return
    fileIds.set(found.id, found.fileId)
    const upload = entry(found.id, found.name, found.file.sizeBytes, { kind: 'interrupted' })
    upload.sentBytes.value = found.storedBytes
  }

  return {
    list,
    /** A file that is uploaded already, or was before this page was loaded, goes on. */
    add(file: File, isPrivate: boolean): Upload {
      const id = idOf(accountId, file.name, factsOf(file))
      const known = list.peek().find((one) => one.id === id)
      files.set(id, file)
      const upload = known ?? entry(id, file.name, file.size, { kind: 'waiting' })
      const { kind } = upload.state.peek()
      if (file.size === 0) {
        upload.state.value = { kind: 'failed', problem: new Error(`${file.name} is empty`) }
      } else if (known === undefined || kind === 'interrupted' || kind === 'failed') {
        if (isPrivate) privates.add(id)
        else privates.delete(id)
        void send(upload)
      }
      return upload
    },
    /** Lists what another load of the page has begun. */
    async restoreAll(): Promise<void> {
      await Promise.all(((await journals?.unfinished(accountId)) ?? []).map(restore))
    },
    close() {
      isClosed = true
      for (const stop of stops.values()) stop.abort(new Error('closed'))
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>

function factsOf({ size, lastModified }: File): FileFacts {
  return { sizeBytes: size, modifiedMs: lastModified }
}

function progressOf(upload: Upload, clock: Clock) {
  const speed = createSpeed()
  return (sent: number) => {
    speed.add(clock.monotonicMs(), sent)
    upload.speed.value = speed.perSecond()
    upload.sentBytes.value = Math.max(upload.sentBytes.peek(), sent)
  }
}

/**
 * Until a part is stored, a part that fails twice may be one that retries cannot mend: its cause is
 * looked for. A single failure may be a connection that broke.
 */
function createPut({ clock, origin, fetch, putPart }: UploadDeps, file: File) {
  const schedule = (ms: number, callback: () => void) => clock.schedule(ms, callback)
  const failed = new Set<number>()
  let isProven = false
  return async (range: PartRange, progress: PartProgress): Promise<string> => {
    try {
      const etag = await putPart(file, range, progress, schedule)
      isProven = true
      return etag
    } catch (error) {
      if (error instanceof EtagHidden) {
        throw new StorageTrouble(`${error.message}.`, remedyFor(origin))
      }
      if (!(error instanceof PartNotSent) || progress.signal.aborted) throw error
      if (!(await isReadable(file))) {
        throw new UploadBlocked(
          `${file.name} cannot be read any more: it was changed or moved. Drop it again.`,
        )
      }
      if (isProven || !failed.has(range.start)) {
        failed.add(range.start)
        throw error
      }
      throw await troubleOf({ origin, url: range.url }, fetch)
    }
  }
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
