import { PartRefused, UploadBlocked } from './part-errors.ts'
import { uploadParts } from './upload-parts.ts'
import type { FileRecord } from '../../../common/openapi/openapi-types.ts'
import type { UploadJournal } from './journal.ts'
import type { PartRange, PartUpload } from './upload-parts.ts'

export interface BlobUpload extends Pick<
  PartUpload,
  'isPrivate' | 'partSize' | 'signal' | 'parallel' | 'onProgress' | 'onRetry'
> {
  /** The extension tells the type. The default is the name of a `File`. */
  readonly name?: string
}

type Deps = Pick<PartUpload, 'client' | 'clock'> & { readonly fetch: typeof fetch }

/**
 * Uploads a `Blob` or `File` in parts, straight to the object store. Progress moves with each part,
 * since `fetch` does not tell how much of one it has sent.
 * @returns the record, in state UPLOADED: its URL can be an input already
 */
export async function uploadBlob(
  deps: Deps,
  blob: Blob,
  { name = nameOf(blob), ...options }: BlobUpload = {},
): Promise<FileRecord> {
  if (name === '') throw new Error('upload needs the name of the file: { name: "clip.mp4" }')
  if (blob.size === 0) throw new Error(`${name} is empty`)
  const facts = { sizeBytes: blob.size, modifiedMs: 0 }
  return uploadParts({
    ...options,
    ...deps,
    name,
    journal: noJournal,
    facts: () => Promise.resolve(facts),
    async put(range, { signal, onBytes }) {
      const etag = await putPart(deps.fetch, blob, range, signal)
      onBytes(range.length)
      return etag
    },
  })
}

function nameOf(blob: Blob): string {
  return 'name' in blob ? String(blob.name) : ''
}

async function putPart(
  send: typeof fetch,
  blob: Blob,
  { url, start, length }: PartRange,
  signal: AbortSignal,
): Promise<string> {
  // Without a type: a header that the URL does not sign needs a rule of CORS of its own.
  const body = blob.slice(start, start + length, '')
  const response = await send(url, { method: 'PUT', body, signal }).catch((cause: unknown) => {
    const text = 'the connection to the storage broke, or it refuses this page (CORS)'
    throw new Error(text, { cause })
  })
  const answer = await response.text()
  if (response.status !== 200) throw new PartRefused(response.status, answer)
  const etag = response.headers.get('etag')
  if (etag === null) {
    throw new UploadBlocked('the storage hides the ETag of a part from this page (CORS)')
  }
  return etag
}

/** The program that holds a blob ends with it, so nothing could resume its upload. */
const noJournal: UploadJournal = {
  read: () => Promise.resolve(null),
  begin: () => Promise.resolve(),
  stored: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}
