import type { FileHandle } from 'node:fs/promises'
import { Failure } from '../../../common/domain/failures.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { abortReason } from '../runtime/attempt-ended.ts'
import { readAnswer } from './http/range-response.ts'
import type { Answer, RequestedRange, Version } from './http/range-response.ts'
import { TransientFetchError } from './fetch-error.ts'
import type { OpenUrl, OpenedUrl } from './open-url.ts'
import type { AnswerNames } from './file-name.ts'
import type { GrowingFileWriter } from './growing-file.ts'
import { fetchRanges, parallelAboveBytes, rangePlan } from './ranges.ts'
import type { Ranges } from './ranges.ts'
import { createTries } from './retry.ts'
import type { Tries } from './retry.ts'
import type { UrlResponse } from './http/send-get.ts'
import { writeBody } from './http/write-body.ts'

export interface FileRequest {
  readonly url: URL
  readonly file: FileHandle
  readonly open: OpenUrl
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly watch: FetchWatch
  /** Notified of the length that is in place. */
  readonly growing: GrowingFileWriter
  /** A reader may read the file while it is downloaded. */
  readonly isRead: boolean
}

/** Callbacks for a fetch while it runs; every function may throw a Failure. */
export interface FetchWatch {
  /** Headers of a whole file are here, at most once per version of it. */
  readonly onVersion: (version: Version, names: AnswerNames) => void
  /** Bytes before they are written; in order where the file's length is not known. */
  readonly onPiece: (piece: Buffer, position: number) => void
}

/**
 * Fetches one URL into a file: one stream, resumed after a broken connection, which is continued by
 * concurrent ranges if the file is large and the server can prove that they are of the same file.
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

class SourceChanged extends Error {
  override readonly name = 'SourceChanged'
}

async function fetchVersion(request: FileRequest, tries: Tries): Promise<number> {
  const { effects, watch, growing, file } = request
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  let version: Version | null = null
  const started: { ranges: Ranges | null } = { ranges: null }
  /** Offset at which the other ranges begin. */
  let firstEnd: number | null = null
  const first = {
    file,
    position: 0,
    end: () => firstEnd ?? version?.totalBytes ?? Infinity,
    onPiece: watch.onPiece,
    onWritten: grow,
  }

  function grow(): void {
    const isFirstDone = started.ranges !== null && first.position === firstEnd
    growing.grow(isFirstDone ? (started.ranges?.head() ?? 0) : first.position)
  }

  async function stream(): Promise<void> {
    if (first.position === first.end()) return
    const requested =
      version === null || version.validator === null || first.position === 0
        ? null
        : { first: first.position, last: null, of: version }
    const { opened, answer } = await openAnswer(request, requested, signal)
    if (answer.kind === 'whole') await begin(opened, answer)
    await writeBody(opened.response, first, effects.clock)
    const end = first.end()
    if (end !== Infinity && first.position < end) {
      throw new TransientFetchError('was cut short', null)
    }
  }

  async function begin(opened: OpenedUrl, answer: Answer & { kind: 'whole' }): Promise<void> {
    if (started.ranges !== null) throw new SourceChanged()
    version = answer.version
    growing.begin(version.totalBytes)
    first.position = 0
    // Skipped for an empty file: ext4 would treat it as a file that is being replaced, and write all of
    // it to the disk when it is closed (auto_da_alloc, ext4(5)): 0.4 s a GB.
    if ((await file.stat()).size > 0) await file.truncate(0)
    watch.onVersion(version, {
      url: opened.url.href,
      contentDisposition: opened.response.headers['content-disposition'],
      contentType: opened.response.headers['content-type'],
    })
    const { totalBytes, validator } = version
    if (totalBytes === null || validator === null || !answer.acceptsRanges) return
    if (totalBytes > parallelAboveBytes) beginRanges({ totalBytes, validator })
  }

  function beginRanges(of: Version & { totalBytes: number }): void {
    const openOne = (range: RequestedRange, ofRange: AbortSignal): Promise<UrlResponse> =>
      openRange(request, range, ofRange)
    const plan = rangePlan(of.totalBytes, request.isRead)
    firstEnd = plan.bytes
    started.ranges = fetchRanges(
      { file, version: of, plan, openRange: openOne, onWritten: grow, tries, effects },
      signal,
    )
    // The first connection must not continue for an hour beside others that have failed.
    started.ranges.beside.catch((error: unknown) => {
      stop.abort(error)
    })
  }

  try {
    for (;;) {
      try {
        await effects.failpoint('transfer.part_fetched', stream)
        break
      } catch (error) {
        if (stop.signal.aborted) throw abortReason(stop.signal)
        await tries.afterError(error)
      }
    }
    await Promise.all([started.ranges?.work(), started.ranges?.beside])
    return lengthOf(version, first.position)
  } catch (error) {
    throw stop.signal.aborted ? abortReason(stop.signal) : error
  } finally {
    stop.abort(new Error('another part of the file failed'))
    // A write that is still in flight must not land among the bytes of the next version.
    await started.ranges?.settled()
  }
}

function lengthOf(version: Version | null, position: number): number {
  return version?.totalBytes ?? position
}

async function openRange(
  request: FileRequest,
  requested: RequestedRange,
  signal: AbortSignal,
): Promise<UrlResponse> {
  const { opened, answer } = await openAnswer(request, requested, signal)
  if (answer.kind === 'range') return opened.response
  opened.response.destroy()
  throw new SourceChanged()
}

/** @throws TransientFetchError, SourceChanged, Failure */
async function openAnswer(
  request: FileRequest,
  requested: RequestedRange | null,
  signal: AbortSignal,
): Promise<{ opened: OpenedUrl; answer: Answer & { kind: 'whole' | 'range' } }> {
  const opened = await request.open(request.url, requestHeaders(requested), signal)
  const { response } = opened
  const wall = request.effects.clock.wall()
  const answer = readAnswer(response.status, response.headers, requested, wall)
  if (answer.kind === 'whole' || answer.kind === 'range') return { opened, answer }
  response.destroy()
  switch (answer.kind) {
    case 'again':
      throw new TransientFetchError(answer.reason, answer.retryAfterMs)
    case 'changed':
      throw new SourceChanged()
    case 'refused':
      throw new Failure('UNREACHABLE_INPUT_FILE', answer.reason)
  }
}

function requestHeaders(requested: RequestedRange | null): Record<string, string> {
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'cloud-ffmpeg' }
  if (requested === null) return headers
  return {
    ...headers,
    range: `bytes=${String(requested.first)}-${requested.last === null ? '' : String(requested.last)}`,
    ...(requested.of.validator === null ? {} : { 'if-range': requested.of.validator }),
  }
}
