import { createSpeed } from '../../cli/client/upload/speed.ts'
import { uploadParts } from '../../cli/client/upload/upload-parts.ts'
import { memoryJournal } from './browser-journal.ts'
import { createPutOrExplain } from './put-or-explain.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { FileFacts, UploadJournal } from '../../cli/client/upload/journal.ts'
import type { createLimit } from '../../common/bounded/limit.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { BrowserJournals } from './browser-journal.ts'
import type { PutDeps } from './put-or-explain.ts'
import type { Upload } from './upload.ts'
import type { UploadEntry } from './upload-entry.ts'

export interface UploadDeps extends PutDeps {
  readonly client: Client
  readonly accountId: string
  /** null: nothing may be stored in this browser. */
  readonly journals: BrowserJournals | null
}

/** Small, since an interruption loses the parts on their way; the service raises it for large files. */
const partSize = 8 * 1_048_576
/** Browsers open six connections per host over HTTP/1.1; two files are sent at a time. */
const partsAtOnce = 3

/** Sends a file until it is stored, has failed, or is stopped. An attempt before it ends. */
export async function sendUpload(
  entry: UploadEntry,
  deps: UploadDeps,
  limit: ReturnType<typeof createLimit>,
): Promise<void> {
  const { upload, file, isPrivate } = entry
  if (file === null) return
  const { name, state } = upload
  entry.stop.abort(new Error('begun again'))
  const { signal } = (entry.stop = new AbortController())
  state.value = { kind: 'waiting' }
  const facts = factsOf(file)
  const journal = (entry.journal ??=
    deps.journals?.journal(deps.accountId, name, facts) ?? memoryJournal())
  try {
    const record = await limit(async () => {
      signal.throwIfAborted()
      state.value = { kind: 'sending', retry: null }
      return uploadParts({
        client: deps.client,
        clock: deps.clock,
        name,
        isPrivate,
        partSize,
        parallel: partsAtOnce,
        signal,
        journal: followedJournal(entry, journal),
        facts: async () => facts,
        put: createPutOrExplain(deps, file),
        onProgress: progressOf(upload, deps.clock),
        onRetry: (retry) => (state.value = { kind: 'sending', retry }),
      })
    })
    upload.sentBytes.value = upload.sizeBytes
    state.value = { kind: 'done', file: record }
  } catch (problem) {
    // Paused or discarded: the state says so already.
    if (!signal.aborted) state.value = { kind: 'failed', problem }
  }
  upload.speed.value = null
}

export function factsOf({ size, lastModified }: File): FileFacts {
  return { sizeBytes: size, modifiedMs: lastModified }
}

/** The journal, whose session and stored parts change the entry. */
function followedJournal(entry: UploadEntry, journal: UploadJournal): UploadJournal {
  const { state } = entry.upload
  return {
    ...journal,
    async read() {
      const begun = await journal.read()
      if (begun !== null) entry.fileId = begun.session.file_id
      return begun
    },
    begin(file, session) {
      entry.fileId = session.file_id
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

function progressOf(upload: Upload, clock: Clock) {
  const speed = createSpeed()
  return (sent: number) => {
    speed.add(clock.monotonicMs(), sent)
    upload.speed.value = speed.perSecond()
    upload.sentBytes.value = Math.max(upload.sentBytes.peek(), sent)
  }
}
