import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '../../../common/failures.ts'
import type { Effects } from '../../../common/effects.ts'
import { abortReason } from '../abort-reason.ts'
import { readAnswer } from './answer.ts'
import type { Answer, AskedRange, Version } from './answer.ts'
import { TransientFetchError } from './fetch-error.ts'
import type { OpenUrl, OpenedUrl } from './open-url.ts'
import type { AnswerNames } from './file-name.ts'
import { fetchTailRanges, parallelAboveBytes } from './tail-ranges.ts'
import { createTries } from './tries.ts'
import type { Tries } from './tries.ts'
import { writeBody } from './write-body.ts'

export interface FileRequest {
  readonly url: URL
  readonly file: FileHandle
  readonly open: OpenUrl
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly watch: FetchWatch
}

/** What the caller has to say about a fetch while it runs; every function may throw a Failure. */
export interface FetchWatch {
  /** Headers of a whole file are here, at most once per version of it. */
  readonly onVersion: (version: Version, names: AnswerNames) => void
  /** Bytes from the head, in order. */
  readonly onPiece: (piece: Buffer, position: number) => void
}

/**
 * Fetches one URL into a file: one stream, resumed where it broke off, with ranges from the end
 * beside it where the file is large and the server can prove that they are of the same file.
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
  const { effects, watch } = request
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  let version: Version | null = null
  let tail: ReturnType<typeof fetchTailRanges> | null = null
  const head = {
    file: request.file,
    position: 0,
    end: () => tail?.start() ?? Infinity,
    onPiece: watch.onPiece,
  }

  async function stream(): Promise<void> {
    if (version !== null && head.position === version.totalBytes) return
    const asked =
      version === null || version.validator === null || head.position === 0
        ? null
        : { first: head.position, last: null, of: version }
    const { opened, answer } = await openAnswer(request, asked, signal)
    if (answer.kind === 'whole') await begin(opened, answer)
    await writeBody(opened.response, head, effects.clock)
    if (head.position < (tail?.start() ?? version?.totalBytes ?? 0)) {
      throw new TransientFetchError('was cut short', null)
    }
  }

  async function begin(opened: OpenedUrl, answer: Answer & { kind: 'whole' }): Promise<void> {
    if (tail !== null) throw new SourceChanged()
    version = answer.version
    head.position = 0
    await request.file.truncate(0)
    watch.onVersion(version, {
      url: opened.url.href,
      contentDisposition: opened.response.headers['content-disposition'],
      contentType: opened.response.headers['content-type'],
    })
    const { totalBytes, validator } = version
    if (totalBytes === null || validator === null || !answer.acceptsRanges) return
    if (totalBytes <= parallelAboveBytes) return
    tail = fetchTailRanges(
      request.file,
      { validator, totalBytes },
      () => head.position,
      { openRange: (range, ofTail) => openRange(request, range, ofTail) },
      tries,
      effects,
      signal,
    )
    // The head must not go on for an hour beside a tail that has failed.
    tail.done.catch((error: unknown) => {
      stop.abort(error)
    })
  }

  try {
    for (;;) {
      try {
        await effects.failpoint('transfer.part_fetched', stream)
        await tailOf(() => tail)
        return lengthOf(version, head.position)
      } catch (error) {
        if (stop.signal.aborted) throw abortReason(stop.signal)
        await tries.afterError(error)
      }
    }
  } finally {
    stop.abort(new Error('the other half of the file failed'))
  }
}

/** A function, because the compiler takes a variable that only a callback sets for null. */
function tailOf(tail: () => ReturnType<typeof fetchTailRanges> | null): Promise<void> | undefined {
  return tail()?.done
}

function lengthOf(version: Version | null, position: number): number {
  return version?.totalBytes ?? position
}

async function openRange(
  request: FileRequest,
  asked: AskedRange,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { opened, answer } = await openAnswer(request, asked, signal)
  if (answer.kind === 'range') return opened.response
  opened.response.destroy()
  throw new SourceChanged()
}

/** @throws TransientFetchError, SourceChanged, Failure */
async function openAnswer(
  request: FileRequest,
  asked: AskedRange | null,
  signal: AbortSignal,
): Promise<{ opened: OpenedUrl; answer: Answer & { kind: 'whole' | 'range' } }> {
  const opened = await request.open(request.url, requestHeaders(asked), signal)
  const { response } = opened
  const wall = request.effects.clock.wall()
  const answer = readAnswer(response.statusCode ?? 0, response.headers, asked, wall)
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

function requestHeaders(asked: AskedRange | null): Record<string, string> {
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'cloud-ffmpeg' }
  if (asked === null) return headers
  return {
    ...headers,
    range: `bytes=${String(asked.first)}-${asked.last === null ? '' : String(asked.last)}`,
    ...(asked.of.validator === null ? {} : { 'if-range': asked.of.validator }),
  }
}
