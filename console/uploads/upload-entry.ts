import { signal } from '@preact/signals'
import type { UploadJournal } from '../../cli/client/upload/journal.ts'
import type { Upload, UploadState } from './upload.ts'

/** An upload with the state that the page does not show. */
export interface UploadEntry {
  readonly upload: Upload
  /** null: the page was loaded since, and the file was not given again. */
  file: File | null
  /** A session that has ended begins anew, as private as before. */
  isPrivate: boolean
  /** Id in the service; null until a session has begun. */
  fileId: string | null
  journal: UploadJournal | null
  /** Ends the attempt that is under way. */
  stop: AbortController
}

export type Named = Pick<Upload, 'id' | 'name' | 'sizeBytes'>

interface Actions {
  readonly send: (entry: UploadEntry) => Promise<void>
  readonly discard: (entry: UploadEntry) => Promise<void>
}

export function createUploadEntry(
  { id, name, sizeBytes }: Named,
  state: UploadState,
  { send, discard }: Actions,
): UploadEntry {
  const upload: Upload = {
    id,
    name,
    sizeBytes,
    state: signal(state),
    sentBytes: signal(0),
    speed: signal(null),
    pause() {
      upload.state.value = { kind: 'paused' }
      entry.stop.abort(new Error('paused'))
    },
    resume: () => void send(entry),
    discard: () => discard(entry),
  }
  const entry: UploadEntry = {
    upload,
    file: null,
    isPrivate: false,
    fileId: null,
    journal: null,
    stop: new AbortController(),
  }
  return entry
}
