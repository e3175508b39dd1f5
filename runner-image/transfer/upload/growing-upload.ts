import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { MultipartGrant } from '../../../common/gateway/messages.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Log } from '../report/log.ts'
import { runAll } from '../runtime/run-all.ts'
import type { PutRange } from './connections.ts'
import { isSoonFull, isWorthwhile, leastPartBytes } from './early-parts.ts'
import { forecastGrowth } from './growth-forecast.ts'
import { createGrowingSource } from './growing-source.ts'
import { createLimit } from '../../../common/bounded/limit.ts'
import type { RegularFile } from '../runtime/regular-file.ts'
import { createPartUrls } from './part-urls.ts'
import type { PartsAhead, PartUrl } from './part-urls.ts'
import type { Stored } from './put-bytes.ts'
import type { StoredObjects } from './stored-objects.ts'
import type { PutJob } from './put-with-retries.ts'
import { rangeChecksum } from './range-checksum.ts'

export interface GrowingFile {
  /** Relative to the attempt's prefix in the store. */
  readonly path: string
  /** Absolute, on disk; need not be there yet. */
  readonly source: string
  /** For sentences: the output that it is. */
  readonly alias: string
  /** The first part waits until the file is closed: FFmpeg will write it again. */
  readonly holdsFirst: boolean
  /** Fraction of it that is written, up to 1; null = unknown. */
  readonly fraction: () => number | null
}

export interface GrowingDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
  readonly connections: PutRange
  readonly log: Log
  readonly objects: StoredObjects
  /** Paths of parts that are sent while they fill: one file of an attempt at a time. */
  readonly filling: Set<string>
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

const pollEveryMs = 50
const fillEveryMs = 25
/** Less than what a store waits for a byte. */
const longestFillMs = 15_000
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
 * Stores the parts of a file while FFmpeg writes it, each once it is full, and the last of them
 * even while it fills: on a link no faster than the file grows, the end of the command would wait
 * for that part. Sent parts count only if they match the final file: the checksum of every early
 * part is compared then.
 * @param signal ends everything; without it, `finish` does
 */
export function startGrowingUpload(
  file: GrowingFile,
  deps: GrowingDependencies,
  signal: AbortSignal,
): GrowingUpload {
  const { gateway, effects, connections, log, objects } = deps
  const { path } = file
  const closed = new AbortController()
  const sending = new Map<number, Promise<void>>()
  const sent = new Map<number, SentPart>()
  const verifying = createLimit(verifiedAtOnce)
  const forecast = forecastGrowth(effects.clock)
  /** The file grew more slowly than forecast: they wait until they are full. */
  const unfilled = new Set<number>()
  let underWay = 0
  let lineFree = Promise.withResolvers<void>()
  let filling: { readonly end: number; readonly stop: AbortController } | null = null
  let upload: { grant: MultipartGrant; urlOf: PartUrl } | null = null
  const source = createGrowingSource(file.source, async () => {
    stopFilling('the file has been replaced')
    // Parts under way still read from the old one.
    await Promise.allSettled(sending.values())
  })
  let knownBytes = 0
  let finalBytes: number | null = null

  const watching = watch()
  const ended = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => void watching.then(release), { once: true })
  return { finish, ended: ended.promise.then(() => undefined) }

  /** Stops after an error: `finish` repeats the part, or the file is uploaded whole. */
  async function watch(): Promise<void> {
    const over = AbortSignal.any([signal, closed.signal])
    try {
      for (;;) {
        await Promise.race([sleep(effects.clock, pollEveryMs, over), lineFree.promise])
        lineFree = Promise.withResolvers()
        await poll()
      }
    } catch (error) {
      if (!over.aborted)
        log('info', 'early upload paused until the output is complete', { path, error })
    }
  }

  async function release(): Promise<void> {
    stopFilling('the upload is over')
    await Promise.allSettled(sending.values())
    source.close()
    ended.resolve(undefined)
  }

  async function poll(): Promise<void> {
    const handle = await source.current()
    if (handle === null) return
    const { size } = await handle.facts()
    if (size < knownBytes) stopFilling('the file has begun anew')
    knownBytes = size
    forecast.see(size, file.fraction())
    const least = (file.holdsFirst ? 2 : 1) * leastPartBytes
    if (upload === null && !isWorthwhile(least, knownBytes, forecast)) return
    upload ??= await begin()
    const { partBytes } = upload.grant
    const firstPart = file.holdsFirst ? 2 : 1
    const full = Math.min(mostParts, Math.floor(knownBytes / partBytes))
    for (let part = firstPart; part <= full; part++) {
      if (!sending.has(part)) sending.set(part, sendEarly(handle, part, partBytes))
    }
    const next = full + 1
    if (next >= firstPart && next <= mostParts && isNext(next, partBytes)) {
      sending.set(next, fill(handle, next, partBytes))
    }
  }

  /** The parts before it go first: on a shared link, it would only slow them down. */
  function isNext(part: number, partBytes: number): boolean {
    if (underWay > 0 || deps.filling.size > 0) return false
    if (sending.has(part) || unfilled.has(part)) return false
    return isSoonFull(part * partBytes, forecast)
  }

  async function fill(handle: RegularFile, part: number, partBytes: number): Promise<void> {
    const stop = new AbortController()
    const start = (part - 1) * partBytes
    deps.filling.add(path)
    filling = { end: start + partBytes, stop }
    const cancel = effects.clock.schedule(longestFillMs, () => {
      stopFilling('it fills more slowly than foreseen')
    })
    try {
      const both = AbortSignal.any([signal, stop.signal])
      const grown = (offset: number) => grownBeyond(handle, offset, both)
      await send(handle, part, { start, bytes: partBytes, grown }, both)
    } catch (error) {
      if (!signal.aborted)
        log('info', 'part upload failed; retrying it once it is full', { path, part, error })
      unfilled.add(part)
      sending.delete(part)
    } finally {
      cancel()
      filling = null
      deps.filling.delete(path)
    }
  }

  function stopFilling(reason: string): void {
    filling?.stop.abort(new Error(reason))
  }

  async function grownBeyond(handle: RegularFile, offset: number, stop: AbortSignal) {
    for (;;) {
      const { size } = await handle.facts()
      if (size > offset) return size
      await sleep(effects.clock, fillEveryMs, stop)
    }
  }

  async function begin() {
    const files = [{ path, sizeBytes: null, ...storedType(path) }]
    const { grants } = await effects.failpoint('transfer.growing_begun', () =>
      gateway.uploads({ files }, signal),
    )
    const [grant] = grants
    if (grant?.kind !== 'multipart') throw new Error(`no multipart upload for ${path}`)
    const ahead = (): PartsAhead => {
      const count = Math.ceil((finalBytes ?? knownBytes) / grant.partBytes)
      return { count: finalBytes === null ? count + urlsAhead : count, sizeBytes: finalBytes }
    }
    return { grant, urlOf: createPartUrls(gateway, grant, ahead) }
  }

  async function sendEarly(handle: RegularFile, part: number, partBytes: number): Promise<void> {
    try {
      await send(handle, part, { start: (part - 1) * partBytes, bytes: partBytes }, signal)
    } catch (error) {
      if (!signal.aborted)
        log('info', 'part upload failed; retrying it at the end', { path, part, error })
    }
  }

  async function send(
    { fd }: RegularFile,
    part: number,
    range: Range & Pick<PutJob, 'grown'>,
    stop: AbortSignal,
  ): Promise<SentPart> {
    if (upload === null) throw new Error(`no upload of ${path}`)
    const { urlOf } = upload
    const grant = (fresh: boolean) => urlOf(part, fresh, signal)
    underWay++
    try {
      const job = { alias: file.alias, fd, ...range, checked: true, grant }
      const done = { ...(await connections(job, stop)), bytes: range.bytes }
      sent.set(part, done)
      return done
    } finally {
      underWay--
      lineFree.resolve()
    }
  }

  async function finish(): Promise<boolean> {
    closed.abort()
    await watching
    try {
      if (upload === null) return false
      const handle = await source.current()
      return handle !== null && (await complete(handle, upload.grant))
    } catch (error) {
      signal.throwIfAborted()
      log('info', 'multipart upload abandoned; uploading the whole file', { path, error })
      return false
    } finally {
      await release()
    }
  }

  async function complete(handle: RegularFile, { uploadId, partBytes }: MultipartGrant) {
    const sizeBytes = (await handle.facts()).size
    knownBytes = finalBytes = sizeBytes
    if (filling !== null && filling.end > sizeBytes) stopFilling('the file has ended')
    const count = Math.ceil(sizeBytes / partBytes)
    if (count < 1 || count > mostParts) return false
    const parts = await runAll(
      signal,
      Array.from({ length: count }, (_, index) => async (stop: AbortSignal) => {
        const start = index * partBytes
        const range = { start, bytes: Math.min(partBytes, sizeBytes - start) }
        return { partNumber: index + 1, etag: await etagOf(handle, index + 1, range, stop) }
      }),
    )
    const etag = await effects.failpoint('transfer.growing_completed', () =>
      gateway.complete({ path, uploadId, sizeBytes, parts }, signal),
    )
    objects.set(path, { path, source: file.source, alias: file.alias, sizeBytes, etag })
    return true
  }

  async function etagOf(handle: RegularFile, part: number, range: Range, stop: AbortSignal) {
    await sending.get(part)
    const early = sent.get(part)
    if (early !== undefined && (await isAsSent(handle, early, range))) return early.etag
    return (await send(handle, part, range, stop)).etag
  }

  async function isAsSent({ fd }: RegularFile, early: SentPart, range: Range): Promise<boolean> {
    if (early.bytes !== range.bytes) return false
    return early.checksum === (await verifying(() => rangeChecksum(fd, range)))
  }
}

/** Each holds a mebibyte of the file in memory. */
const verifiedAtOnce = 2

/** URLs that are requested before their parts are there. */
const urlsAhead = 15
