import { sleep } from '../../../common/runtime/effects.ts'
import { backoff } from '../../../common/runtime/backoff.ts'
import { ApiError } from '../errors.ts'
import { partLength, sameFile, storedBytes } from './journal.ts'
import { isTransient, PartRefused } from './part-errors.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { FileRecord } from '../../../common/openapi/openapi-types.ts'
import type { Client } from '../client-with-effects.ts'
import type { BegunUpload, FileFacts, UploadJournal, UploadSession } from './journal.ts'

/** Backoff without jitter: one client retries one part. */
const waits = { first: 1_000, longest: 60_000, jitter: [1, 1] } as const

export interface PartRange {
  /** Presigned. */
  readonly url: string
  /** First byte of the part in the file. */
  readonly start: number
  readonly length: number
}

export interface PartProgress {
  readonly signal: AbortSignal
  readonly onBytes: (count: number) => void
}

export interface PartRetry {
  readonly part: number
  /** Attempts that have failed. */
  readonly failures: number
  readonly waitMs: number
}

/** An upload in parts, of a file on disk or in a browser. */
export interface PartUpload {
  readonly client: Pick<Client, 'initUpload' | 'completeUpload' | 'getFile'>
  readonly journal: UploadJournal
  /** The file's last name. */
  readonly name: string
  /** Read again before completion: the parts must be of one content. */
  readonly facts: () => Promise<FileFacts>
  /** Sends one part. @returns its ETag */
  readonly put: (range: PartRange, progress: PartProgress) => Promise<string>
  readonly clock: Clock
  readonly isPrivate?: boolean
  /** The service has its own default, and a minimum. */
  readonly partSize?: number
  readonly signal?: AbortSignal
  /** Parts at a time, 4 by default. */
  readonly parallel?: number
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void
  readonly onRetry?: (retry: PartRetry) => void
}

/**
 * Uploads the parts that the object store does not have, straight to it, then completes the upload.
 * @returns the record, in state UPLOADED: its URL can be an input already
 */
export async function uploadParts(upload: PartUpload): Promise<FileRecord> {
  const facts = await upload.facts()
  const begun = await upload.journal.read()
  if (begun !== null && sameFile(begun.file, facts) && isOpen(begun.session, upload)) {
    const record = await resumed(upload, begun).catch(lostSession)
    if (record !== null) return record
  }
  const session = await upload.client.initUpload(
    {
      filename: upload.name,
      size_bytes: facts.sizeBytes,
      is_private: upload.isPrivate ?? false,
      ...(upload.partSize === undefined ? {} : { part_size: upload.partSize }),
    },
    signalOf(upload),
  )
  await upload.journal.begin(facts, session)
  return finish(upload, { file: facts, session, etags: new Map() })
}

/**
 * Reads the session's state first: an object store that has dropped the session may close the
 * connection while a part is sent, which is not distinguishable from a network failure.
 * @returns `null` if the session has ended without a file
 */
async function resumed(upload: PartUpload, begun: BegunUpload): Promise<FileRecord | null> {
  const { file_id: fileId } = begun.session
  const { status, is_deleted } = await upload.client.getFile(fileId, {}, signalOf(upload))
  if (status === 'FAILED' || is_deleted) return null
  return finish(upload, begun)
}

async function finish(upload: PartUpload, begun: BegunUpload): Promise<FileRecord> {
  const etags = await sendMissing(upload, begun)
  if (!sameFile(begun.file, await upload.facts())) {
    await upload.journal.remove()
    throw new Error(`${upload.name} changed while it was uploaded; upload it again`)
  }
  const parts = Array.from(etags, ([part_number, etag]) => ({ part_number, etag }))
  const record = await upload.client
    .completeUpload(begun.session.file_id, { parts }, signalOf(upload))
    .catch((error: unknown) => completedBefore(upload, begun.session, error))
  await upload.journal.remove()
  return record
}

/** If an earlier program ended after it had completed the upload, the journal still exists. */
async function completedBefore(upload: PartUpload, { file_id }: UploadSession, error: unknown) {
  if (!(error instanceof ApiError) || error.status !== 400) throw error
  const record = await upload.client.getFile(file_id, {}, signalOf(upload))
  const done = record.status === 'UPLOADED' || record.status === 'STORED'
  if (!done || record.is_deleted) throw error
  return record
}

/** Returns `null` if the session has ended (expired, aborted, of another account). */
function lostSession(error: unknown): null {
  const gone =
    (error instanceof ApiError && [400, 404].includes(error.status)) ||
    (error instanceof PartRefused && [400, 403, 404].includes(error.status))
  if (gone) return null
  throw error
}

/** @returns ETags of all parts */
async function sendMissing(upload: PartUpload, begun: BegunUpload): Promise<Map<number, string>> {
  const { file, session } = begun
  const etags = new Map(begun.etags)
  const missing = session.upload_urls
    .map((url, index) => ({ url, part: index + 1 }))
    .filter(({ part }) => !etags.has(part))
  let sent = storedBytes(begun)
  const failed = new AbortController()
  const signals = [failed.signal, ...(upload.signal === undefined ? [] : [upload.signal])]
  const signal = AbortSignal.any(signals)

  async function send(): Promise<void> {
    for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
      const { url, part } = next
      const start = (part - 1) * session.part_size
      const range = { url, start, length: partLength(session, file, part) }
      const etag = await putWithRetries(upload, part, range, { signal, onBytes })
      etags.set(part, etag)
      await upload.journal.stored(part, etag)
    }
  }
  function onBytes(count: number): void {
    sent += count
    upload.onProgress?.(sent, file.sizeBytes)
  }

  upload.onProgress?.(sent, file.sizeBytes)
  try {
    await Promise.all(Array.from({ length: upload.parallel ?? 4 }, send))
    return etags
  } catch (error) {
    failed.abort(error)
    upload.signal?.throwIfAborted()
    throw error
  }
}

const attempts = 5

async function putWithRetries(
  upload: PartUpload,
  part: number,
  range: PartRange,
  { signal, onBytes }: PartProgress,
): Promise<string> {
  for (let failures = 1; ; failures++) {
    let counted = 0
    const count = (bytes: number) => {
      counted += bytes
      onBytes(bytes)
    }
    try {
      return await upload.put(range, { signal, onBytes: count })
    } catch (error) {
      onBytes(-counted)
      signal.throwIfAborted()
      if (!isTransient(error) || failures >= attempts) throw error
      const waitMs = backoff(waits, failures, 0)
      upload.onRetry?.({ part, failures, waitMs })
      await sleep(upload.clock, waitMs, signal)
    }
  }
}

/** Whether some time is left: the URLs expire with the session. */
function isOpen({ expires_at }: UploadSession, { clock }: PartUpload): boolean {
  return new Date(expires_at).getTime() > clock.wall().getTime() + 60_000
}

function signalOf({ signal }: PartUpload) {
  return signal === undefined ? {} : { signal }
}
