import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { MultipartGrant } from '../../../common/gateway/messages.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Log } from '../report/log.ts'
import { runAll } from '../runtime/run-all.ts'
import type { PutRange } from './connections.ts'
import { afterPart, nextPart, partsOf, partsState } from './growing-parts.ts'
import type { Part, PartsState } from './growing-parts.ts'
import { createGrowingSource } from './growing-source.ts'
import { createLimit } from '../../../common/bounded/limit.ts'
import type { RegularFile } from '../runtime/regular-file.ts'
import { createPartUrls } from './part-urls.ts'
import type { PartsAhead, PartUrl } from './part-urls.ts'
import type { Stored } from './put-bytes.ts'
import type { StoredObjects } from './stored-objects.ts'
import { rangeChecksum } from './range-checksum.ts'

export interface GrowingFile {
  /** Relative to the attempt's prefix in the store. */
  readonly path: string
  /** Absolute, on disk; need not be there yet. */
  readonly source: string
  /** Name of the output in messages. */
  readonly alias: string
  /** The first part waits until the file is closed: FFmpeg will write it again. */
  readonly holdsFirst: boolean
}

export interface GrowingDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
  readonly connections: PutRange
  readonly log: Log
  readonly objects: StoredObjects
}

export interface GrowingUpload {
  /**
   * Stores the rest of the file, which is not written any more, and every part that has changed
   * since it was sent.
   * @returns false if nothing of it is stored, and it has to go as any other file
   */
  finish(): Promise<boolean>
  /** Resolves once nothing of it is in flight any more, after an abort or `finish`. */
  readonly ended: Promise<void>
}

interface GrowingUploadState {
  parts: PartsState
  size: number
  /** The file does not grow any more. */
  isFinal: boolean
  /** null until the first part is full. */
  upload: { readonly grant: MultipartGrant; readonly urlOf: PartUrl } | null
  /** Parts sent while the file grew, by number; null = failed. */
  readonly sent: Map<number, Promise<SentPart | null>>
}

interface SentPart extends Stored {
  readonly bytes: number
}

interface Upload extends GrowingDependencies {
  readonly file: GrowingFile
  readonly signal: AbortSignal
  readonly state: GrowingUploadState
}

const pollEveryMs = 50
/** Checksums of an upload that are computed together; each takes a mebibyte of memory. */
const verifiedAtOnce = 2
/** URLs that are requested before their parts are there. */
const urlsAhead = 15

/**
 * Stores the parts of a file while FFmpeg writes it, each once it is full. Sent parts count only if
 * they match the final file: the checksum of every early part is compared then.
 * @param signal ends everything; without it, `finish` does
 */
export function startGrowingUpload(
  file: GrowingFile,
  deps: GrowingDependencies,
  signal: AbortSignal,
): GrowingUpload {
  const { effects, log } = deps
  const { path } = file
  const parts = partsState(file.holdsFirst)
  const sent = new Map<number, Promise<SentPart | null>>()
  const state = { parts, size: 0, isFinal: false, upload: null, sent }
  const upload: Upload = { ...deps, file, signal, state }
  const closed = new AbortController()
  // Parts under way still read from the file that has lost its name.
  const source = createGrowingSource(file.source, () => settled(upload))
  const watching = watch()
  const ended = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => void watching.then(release), { once: true })
  return { finish, ended: ended.promise.then(() => undefined) }

  /** Stops after an error: `finish` repeats the part, or the file is uploaded whole. */
  async function watch(): Promise<void> {
    const over = AbortSignal.any([signal, closed.signal])
    try {
      for (;;) {
        await sleep(effects.clock, pollEveryMs, over)
        const handle = await source.current()
        if (handle !== null) await sendFullParts(upload, handle)
      }
    } catch (error) {
      if (!over.aborted)
        log('info', 'early upload paused until the output is complete', { path, error })
    }
  }

  async function finish(): Promise<boolean> {
    closed.abort()
    await watching
    try {
      const handle = await source.current()
      return handle !== null && (await complete(upload, handle))
    } catch (error) {
      signal.throwIfAborted()
      log('info', 'multipart upload abandoned; uploading the whole file', { path, error })
      return false
    } finally {
      await release()
    }
  }

  async function release(): Promise<void> {
    await settled(upload)
    source.close()
    ended.resolve(undefined)
  }
}

async function settled({ state }: Upload): Promise<void> {
  await Promise.allSettled(state.sent.values())
}

async function sendFullParts(upload: Upload, handle: RegularFile): Promise<void> {
  const { state } = upload
  const { size } = await handle.facts()
  state.size = size
  if (nextPart(state.parts, size) === null) return
  if (state.upload === null) {
    state.upload = await begin(upload)
    state.parts = { ...state.parts, partBytes: state.upload.grant.partBytes }
  }
  for (let part = nextPart(state.parts, size); part; part = nextPart(state.parts, size)) {
    state.sent.set(part.partNumber, sendEarly(upload, handle, part))
    state.parts = afterPart(state.parts, part)
  }
}

async function begin({ file: { path }, gateway, effects, signal, state }: Upload) {
  const files = [{ path, sizeBytes: null }]
  const { grants } = await effects.failpoint('transfer.growing_begun', () =>
    gateway.uploads({ files }, signal),
  )
  const [grant] = grants
  if (grant?.kind !== 'multipart') throw new Error(`no multipart upload for ${path}`)
  const ahead = (): PartsAhead => {
    const count = Math.ceil(state.size / grant.partBytes)
    return state.isFinal
      ? { count, sizeBytes: state.size }
      : { count: count + urlsAhead, sizeBytes: null }
  }
  return { grant, urlOf: createPartUrls(gateway, grant, ahead) }
}

async function sendEarly(upload: Upload, handle: RegularFile, part: Part) {
  try {
    return await send(upload, handle, part, upload.signal)
  } catch (error) {
    const { file, log, signal } = upload
    const facts = { path: file.path, part: part.partNumber, error }
    if (!signal.aborted) log('info', 'part upload failed; retrying it at the end', facts)
    return null
  }
}

async function send(
  { file, connections, signal, state }: Upload,
  { fd }: RegularFile,
  { partNumber, start, bytes }: Part,
  stop: AbortSignal,
): Promise<SentPart> {
  const grant = async (fresh: boolean) => {
    if (state.upload === null) throw new Error(`no upload of ${file.path}`)
    return state.upload.urlOf(partNumber, fresh, signal)
  }
  const job = { alias: file.alias, fd, start, bytes, checked: true, grant }
  return { ...(await connections(job, stop)), bytes }
}

async function complete(upload: Upload, handle: RegularFile): Promise<boolean> {
  const { file, gateway, effects, objects, signal, state } = upload
  if (state.upload === null) return false
  const { uploadId, partBytes } = state.upload.grant
  const sizeBytes = (await handle.facts()).size
  state.size = sizeBytes
  state.isFinal = true
  const parts = partsOf(sizeBytes, partBytes)
  if (parts === null) return false
  const verifying = createLimit(verifiedAtOnce)
  const stored = await runAll(
    signal,
    parts.map((part) => async (stop: AbortSignal) => {
      const early = (await state.sent.get(part.partNumber)) ?? null
      const isKept = early !== null && (await verifying(() => isAsSent(handle, early, part)))
      const { etag } = isKept ? early : await send(upload, handle, part, stop)
      return { partNumber: part.partNumber, etag }
    }),
  )
  const { path, source, alias } = file
  const etag = await effects.failpoint('transfer.growing_completed', () =>
    gateway.complete({ path, uploadId, sizeBytes, parts: stored }, signal),
  )
  objects.set(path, { path, source, alias, sizeBytes, etag })
  return true
}

async function isAsSent({ fd }: RegularFile, early: SentPart, part: Part): Promise<boolean> {
  return early.bytes === part.bytes && early.checksum === (await rangeChecksum(fd, part))
}
