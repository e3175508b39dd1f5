import { backoff } from '../../../common/runtime/backoff.ts'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { PartRefused, putPart } from './put-part.ts'
import { ApiError } from '../errors.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { Client } from '../client.ts'
import type { FileRecord } from '../../../common/openapi/openapi-types.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { BegunUpload, FileFacts, UploadJournal, UploadSession } from './upload-journal.ts'

/** Backoff without jitter: one client retries one part. */
const waits = { first: 1_000, longest: 60_000, jitter: [1, 1] } as const

export interface Upload {
  readonly client: Pick<Client, 'initUpload' | 'completeUpload' | 'getFile'>
  /** Path of the local file. */
  readonly file: string
  /** State on disk: a later process with the same journal uploads only the missing parts. */
  readonly journal: UploadJournal
  readonly isPrivate?: boolean
  readonly signal?: AbortSignal
  /** Parts at a time, 4 by default. */
  readonly parallel?: number
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void
  readonly clock?: Clock
}

/**
 * Uploads a local file directly to the object store, streaming each part from disk, so that memory
 * use does not depend on its size.
 * @returns the record, in state UPLOADED: its URL can be an input already
 */
export async function uploadFile(upload: Upload): Promise<FileRecord> {
  const facts = await factsOf(upload.file)
  const begun = await upload.journal.read()
  if (begun !== null && sameFile(begun.file, facts) && isOpen(begun.session, upload)) {
    const record = await resumed(upload, facts, begun).catch(lostSession)
    if (record !== null) return record
  }
  const session = await upload.client.initUpload(
    {
      filename: path.basename(upload.file),
      size_bytes: facts.sizeBytes,
      is_private: upload.isPrivate ?? false,
    },
    signalOf(upload),
  )
  await upload.journal.begin(facts, session)
  return finish(upload, facts, session, new Map())
}

/**
 * Reads the session's state first: an object store that has dropped the session may close the
 * connection while a part is sent, which is not distinguishable from a network failure.
 * @returns `null` if the session has ended without a file
 */
async function resumed(
  upload: Upload,
  facts: FileFacts,
  { session, etags }: BegunUpload,
): Promise<FileRecord | null> {
  const { status, is_deleted } = await upload.client.getFile(session.file_id, {}, signalOf(upload))
  if (status === 'FAILED' || is_deleted === true) return null
  return finish(upload, facts, session, new Map(etags))
}

async function finish(
  upload: Upload,
  facts: FileFacts,
  session: UploadSession,
  etags: Map<number, string>,
): Promise<FileRecord> {
  await sendMissing(upload, facts, session, etags)
  if (!sameFile(facts, await factsOf(upload.file))) {
    await upload.journal.remove()
    throw new Error(`${upload.file} changed while it was uploaded; upload it again`)
  }
  const parts = Array.from(etags, ([part_number, etag]) => ({ part_number, etag }))
  const record = await upload.client
    .completeUpload(session.file_id, { parts }, signalOf(upload))
    .catch((error: unknown) => completedBefore(upload, session, error))
  await upload.journal.remove()
  return record
}

/** If an earlier process was killed after it had completed the upload, the journal still exists. */
async function completedBefore(upload: Upload, { file_id }: UploadSession, error: unknown) {
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

async function sendMissing(
  upload: Upload,
  { sizeBytes }: FileFacts,
  session: UploadSession,
  etags: Map<number, string>,
): Promise<void> {
  const lengthOf = (part: number): number =>
    Math.min(session.part_size, sizeBytes - (part - 1) * session.part_size)
  const missing = session.upload_urls
    .map((url, index) => ({ url, part: index + 1 }))
    .filter(({ part }) => !etags.has(part))
  let sent = Array.from(etags.keys(), lengthOf).reduce((sum, length) => sum + length, 0)
  const failed = new AbortController()
  const signals = [failed.signal, ...(upload.signal === undefined ? [] : [upload.signal])]
  const signal = AbortSignal.any(signals)

  async function send(): Promise<void> {
    for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
      const { url, part } = next
      const start = (part - 1) * session.part_size
      const etag = await putWithRetries(
        { url, file: upload.file, start, length: lengthOf(part) },
        { signal, clock: upload.clock ?? systemClock, onBytes },
      )
      etags.set(part, etag)
      await upload.journal.stored(part, etag)
    }
  }
  function onBytes(count: number): void {
    sent += count
    upload.onProgress?.(sent, sizeBytes)
  }

  upload.onProgress?.(sent, sizeBytes)
  try {
    await Promise.all(Array.from({ length: upload.parallel ?? 4 }, send))
  } catch (error) {
    failed.abort(error)
    upload.signal?.throwIfAborted()
    throw error
  }
}

const attempts = 5

async function putWithRetries(
  part: Parameters<typeof putPart>[0],
  {
    signal,
    clock,
    onBytes,
  }: { signal: AbortSignal; clock: Clock; onBytes: (count: number) => void },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    let counted = 0
    try {
      return await putPart(part, {
        signal,
        onBytes(count) {
          counted += count
          onBytes(count)
        },
      })
    } catch (error) {
      onBytes(-counted)
      signal.throwIfAborted()
      const passing =
        !(error instanceof PartRefused) || [408, 429].includes(error.status) || error.status >= 500
      if (!passing || attempt >= attempts) throw error
      await sleep(clock, backoff(waits, attempt, 0), signal)
    }
  }
}

async function factsOf(file: string): Promise<FileFacts> {
  const found = await stat(file)
  if (!found.isFile()) throw new Error(`${file} is not a regular file`)
  if (found.size === 0) throw new Error(`${file} is empty`)
  return { sizeBytes: found.size, modifiedMs: found.mtimeMs }
}

function sameFile(one: FileFacts, other: FileFacts): boolean {
  return one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs
}

/** Whether some time is left: the URLs expire with the session. */
function isOpen({ expires_at }: UploadSession, { clock = systemClock }: Upload): boolean {
  return new Date(expires_at).getTime() > clock.wall().getTime() + 60_000
}

function signalOf({ signal }: Upload) {
  return signal === undefined ? {} : { signal }
}
