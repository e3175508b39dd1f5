import { abortReason } from '../../../common/runtime/effects.ts'
import { startExtraRanges } from './extra-ranges.ts'
import type { ExtraRanges } from './extra-ranges.ts'
import { SourceChanged, TransientFetchError } from './fetch-error.ts'
import type { FileRequest } from './file-request.ts'
import { isSameVersion } from './http/range-response.ts'
import type { Version } from './http/range-response.ts'
import { writeBody } from './http/write-body.ts'
import { openRange, openVersion } from './open-version.ts'
import type { Resumption, WholeAnswer } from './open-version.ts'
import { Parts, partPlan } from './parts.ts'
import type { Part } from './parts.ts'
import { createTries } from './retry.ts'
import type { Tries } from './retry.ts'

const parallelAboveBytes = 16 * 1024 * 1024

/**
 * Fetches one URL into a file. The first GET is the download: it goes on to the end of the file, and is resumed after
 * a broken connection. Ranges beside it are a bonus where the file is large and the server proves that they are
 * of the same file.
 * @returns bytes of the file
 * @throws Failure with a message that continues a sentence about the URL
 */
export async function fetchFile(request: FileRequest): Promise<number> {
  const tries = createTries(request.effects, request.signal)
  for (;;) {
    try {
      return await fetchVersion(request, tries)
    } catch (error) {
      if (!(error instanceof SourceChanged)) throw error
      await tries.afterError(new TransientFetchError('changed while it was fetched', null))
    }
  }
}

/** Facts about the file by now. */
interface Progress extends Resumption {
  version: Version | null
  /** Offset of the stream. */
  position: number
  isStreaming: boolean
  /** null for a small file, and for a server without ranges. */
  parts: Parts | null
  extra: ExtraRanges | null
}

/** One version of the file on its way. */
interface Fetch {
  readonly request: FileRequest
  readonly tries: Tries
  readonly progress: Progress
  /** Ends all requests for this version. */
  readonly stop: AbortController
  readonly signal: AbortSignal
}

async function fetchVersion(request: FileRequest, tries: Tries): Promise<number> {
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const progress: Progress = {
    version: null,
    position: 0,
    refusedRanges: 0,
    isStreaming: true,
    parts: null,
    extra: null,
  }
  const fetch: Fetch = { request, tries, progress, stop, signal }
  try {
    for (;;) {
      progress.isStreaming = true
      await streamWithTries(fetch)
      progress.isStreaming = false
      const { parts } = progress
      if (parts === null || parts.head === progress.version?.totalBytes) break
      await progress.extra?.finish()
      if (parts.head === progress.version?.totalBytes) break
      // The server gave no ranges for the rest: one stream fetches it.
      progress.position = parts.head
    }
    return progress.version?.totalBytes ?? progress.position
  } catch (error) {
    throw stop.signal.aborted ? abortReason(stop.signal) : error
  } finally {
    stop.abort(new Error('another part of the file failed'))
    // A write that is still in flight must not land among the bytes of the next version.
    await progress.extra?.settled()
  }
}

/** One stream, with tries, to the end of the file or to where ranges have all that follows. */
async function streamWithTries(fetch: Fetch): Promise<void> {
  const { request, tries, stop } = fetch
  for (;;) {
    try {
      await request.effects.failpoint('transfer.part_fetched', () => stream(fetch))
      return
    } catch (error) {
      if (stop.signal.aborted) throw abortReason(stop.signal)
      await tries.afterError(error, request.turn)
    }
  }
}

async function stream(fetch: Fetch): Promise<void> {
  const { request, progress, signal } = fetch
  request.turn.began()
  const { response, whole } = await openVersion(request, progress, signal)
  if (whole !== null) await begin(fetch, whole)
  const target = {
    file: request.file,
    position: progress.position,
    end: () => streamEnd(request, progress),
    onPiece: request.watch.onPiece,
    onWritten() {
      progress.parts?.cover(progress.position, target.position)
      progress.position = target.position
      grow(fetch)
    },
  }
  await writeBody(response, target, request.effects.clock)
  const end = target.end()
  if (end !== Infinity && target.position < end) {
    throw new TransientFetchError('was cut short', null)
  }
}

function grow({ request, progress }: Fetch): void {
  request.growing.grow(progress.parts?.head ?? progress.position)
}

async function begin(fetch: Fetch, answer: WholeAnswer): Promise<void> {
  const { request, progress } = fetch
  const { version, extra } = progress
  // A range that is under way must not land among the bytes of the next version.
  if (extra !== null && version !== null && !isSameVersion(version, answer.version)) {
    throw new SourceChanged()
  }
  progress.version = answer.version
  progress.position = 0
  // A server that gave ranges and gives none any more is read from the start to the end.
  progress.parts = null
  request.growing.begin(answer.version.totalBytes)
  // Skipped for an empty file: ext4 would treat it as a file that is being replaced, and write all of
  // it to the disk when it is closed (auto_da_alloc, ext4(5)): 0.4 s a GB.
  if (extra === null && (await request.file.stat()).size > 0) await request.file.truncate(0)
  request.watch.onVersion(answer.version, answer.names)
  if (answer.acceptsRanges && extra === null) beginRanges(fetch, answer.version)
}

function beginRanges(fetch: Fetch, version: Version): void {
  const { request, progress, stop, signal } = fetch
  const { totalBytes, validator } = version
  if (totalBytes === null || validator === null || totalBytes <= parallelAboveBytes) return
  const plan = partPlan(totalBytes, request.isRead)
  progress.parts = new Parts(totalBytes, plan.bytes)
  progress.extra = startExtraRanges(
    {
      file: request.file,
      version,
      connections: plan.connections - 1,
      claim: () => claimPart(request, progress),
      openRange: (range, ofRange) => openRange(request, range, ofRange),
      onWritten: () => grow(fetch),
      effects: request.effects,
    },
    signal,
    (error) => {
      stop.abort(error)
    },
  )
}

/** Ranges that are complete before the stream is given up for one that a reader needs first. */
const provenRanges = 8

/**
 * Offset at which the stream may end. A link may allow a few requests: so the stream goes on, also over what ranges have
 * fetched, until they have all of the rest. A file that is read as it grows gets its bytes in order instead, once
 * ranges are proven.
 */
function streamEnd({ isRead }: FileRequest, { version, parts, extra, position }: Progress): number {
  if (parts === null) return version?.totalBytes ?? Infinity
  const isProven = isRead && (extra?.completed ?? 0) >= provenRanges
  return isProven ? parts.nextRange(position) : parts.rangesBegin
}

function claimPart(
  { isRead }: FileRequest,
  { parts, isStreaming, position }: Progress,
): Part | null {
  return parts?.claim(isStreaming ? position + 1 : 0, isRead ? 'first' : 'last') ?? null
}
