import { lstat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { sleep } from '../../../common/effects.ts'
import type { Effects } from '../../../common/effects.ts'
import type { MultipartGrant } from '../../../common/gateway/messages.ts'
import { storedType } from '../../../common/stored-type.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Log } from '../log.ts'
import { together } from '../together.ts'
import type { PutRange } from './connections.ts'
import { createLimit } from './limit.ts'
import { createPartUrls } from './part-urls.ts'
import type { PartUrl } from './part-urls.ts'
import type { Stored } from './put-bytes.ts'
import { rangeChecksum } from './range-checksum.ts'
import { openRegularFile } from './regular-file.ts'

export interface GrowingFile {
  /** Relative to the attempt's prefix in the store. */
  readonly path: string
  /** Absolute, on disk; need not be there yet. */
  readonly source: string
  /** For sentences: the output that it is. */
  readonly alias: string
  /** The first part waits until the file is closed: FFmpeg will write it again. */
  readonly holdsFirst: boolean
}

export interface GrowingDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
  readonly connections: PutRange
  readonly log: Log
}

export interface GrowingUpload {
  /**
   * Stores the rest of the file, which nobody writes any more, and every part that is not as it
   * was when it was sent.
   * @returns false where nothing of it is stored, and it has to go as any other file
   */
  finish(): Promise<boolean>
  /** Resolves once nothing of it is under way any more, after an abort or `finish`. */
  readonly ended: Promise<void>
}

/** Of the least part; a file that never gets there goes in one piece in the end. */
const worthwhileBytes = 5 * 1024 * 1024
const lookEveryMs = 100
/** S3's own limit. */
const mostParts = 10_000

interface Range {
  readonly start: number
  readonly bytes: number
}

interface SentPart extends Stored {
  readonly bytes: number
}

/**
 * Stores the parts of a file while FFmpeg writes it, each once it is full. What was sent counts
 * only if it is what lies there in the end: the checksum of every early part is compared then.
 * @param signal ends everything; without it, `finish` does
 */
export function startGrowingUpload(
  file: GrowingFile,
  deps: GrowingDependencies,
  signal: AbortSignal,
): GrowingUpload {
  const { gateway, effects, connections, log } = deps
  const { path } = file
  const closed = new AbortController()
  const sending = new Map<number, Promise<void>>()
  const sent = new Map<number, SentPart>()
  const verifying = createLimit(verifiedAtOnce)
  let upload: { grant: MultipartGrant; urlOf: PartUrl } | null = null
  let opened: FileHandle | null = null
  let knownBytes = 0

  const watching = watch()
  const ended = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => void watching.then(release), { once: true })
  return { finish, ended: ended.promise.then(() => undefined) }

  /** Gives up where something is wrong: `finish` makes good for it, or the file goes whole. */
  async function watch(): Promise<void> {
    const over = AbortSignal.any([signal, closed.signal])
    try {
      for (;;) {
        await sleep(effects.clock, lookEveryMs, over)
        await look()
      }
    } catch (error) {
      if (!over.aborted) log('info', 'a growing output waits for its end', { path, error })
    }
  }

  async function release(): Promise<void> {
    await Promise.allSettled(sending.values())
    const handle = opened
    opened = null
    await handle?.close()
    ended.resolve(undefined)
  }

  async function look(): Promise<void> {
    const handle = await current()
    if (handle === null) return
    knownBytes = (await handle.stat()).size
    const least = file.holdsFirst ? 2 * worthwhileBytes : worthwhileBytes
    if (upload === null && knownBytes < least) return
    upload ??= await begin()
    const { partBytes } = upload.grant
    const full = Math.min(mostParts, Math.floor(knownBytes / partBytes))
    for (let part = file.holdsFirst ? 2 : 1; part <= full; part++) {
      if (!sending.has(part)) sending.set(part, sendEarly(handle, part, partBytes))
    }
  }

  /** The file as it is called now: a run that is repeated writes another one. */
  async function current(): Promise<FileHandle | null> {
    const known = opened === null ? null : await opened.stat()
    if (known !== null && known.ino === (await inodeOf(file.source))) return opened
    const found = await openRegularFile(file.source)
    if (found === null) return opened
    // Parts under way still read from the old one.
    await Promise.allSettled(sending.values())
    await opened?.close()
    opened = found.handle
    return opened
  }

  async function begin() {
    const files = [{ path, sizeBytes: null, ...storedType(path) }]
    const { grants } = await effects.failpoint('transfer.growing_begun', () =>
      gateway.uploads({ files }, signal),
    )
    const [grant] = grants
    if (grant?.kind !== 'multipart') throw new Error(`no multipart upload for ${path}`)
    const lastPart = (): number => Math.ceil(knownBytes / grant.partBytes) + urlsAhead
    return { grant, urlOf: createPartUrls(gateway, grant, lastPart) }
  }

  async function sendEarly(handle: FileHandle, part: number, partBytes: number): Promise<void> {
    try {
      await send(handle, part, { start: (part - 1) * partBytes, bytes: partBytes }, signal)
    } catch (error) {
      if (!signal.aborted) log('info', 'a part goes again in the end', { path, part, error })
    }
  }

  async function send(
    { fd }: FileHandle,
    part: number,
    { start, bytes }: Range,
    stop: AbortSignal,
  ): Promise<SentPart> {
    if (upload === null) throw new Error(`no upload of ${path}`)
    const { urlOf } = upload
    const grant = (fresh: boolean) => urlOf(part, fresh, signal)
    const stored = await connections(
      { alias: file.alias, fd, start, bytes, checked: true, grant },
      stop,
    )
    const done = { ...stored, bytes }
    sent.set(part, done)
    return done
  }

  async function finish(): Promise<boolean> {
    closed.abort()
    await watching
    try {
      if (upload === null) return false
      const handle = await current()
      return handle !== null && (await complete(handle, upload.grant))
    } catch (error) {
      signal.throwIfAborted()
      log('info', 'an output goes whole', { path, error })
      return false
    } finally {
      await release()
    }
  }

  async function complete(handle: FileHandle, { uploadId, partBytes }: MultipartGrant) {
    const sizeBytes = (await handle.stat()).size
    knownBytes = sizeBytes
    const count = Math.ceil(sizeBytes / partBytes)
    if (count < 1 || count > mostParts) return false
    const parts = await together(
      signal,
      Array.from({ length: count }, (_, index) => async (stop: AbortSignal) => {
        const start = index * partBytes
        const range = { start, bytes: Math.min(partBytes, sizeBytes - start) }
        return { partNumber: index + 1, etag: await etagOf(handle, index + 1, range, stop) }
      }),
    )
    await effects.failpoint('transfer.growing_completed', () =>
      gateway.complete({ path, uploadId, sizeBytes, parts }, signal),
    )
    return true
  }

  async function etagOf(handle: FileHandle, part: number, range: Range, stop: AbortSignal) {
    await sending.get(part)
    const early = sent.get(part)
    if (early !== undefined && (await isAsSent(handle, early, range))) return early.etag
    return (await send(handle, part, range, stop)).etag
  }

  async function isAsSent({ fd }: FileHandle, early: SentPart, range: Range): Promise<boolean> {
    if (early.bytes !== range.bytes) return false
    return early.checksum === (await verifying(() => rangeChecksum(fd, range)))
  }
}

/** Each holds a mebibyte of the file in memory. */
const verifiedAtOnce = 2

/** URLs that are asked for before their parts are there. */
const urlsAhead = 15

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).ino
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
