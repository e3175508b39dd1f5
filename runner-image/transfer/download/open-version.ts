import type { OutgoingHttpHeaders } from 'node:http'
import packageFile from '../../../package.json' with { type: 'json' }
import { Failure } from '../../../common/domain/failures.ts'
import { SourceChanged, TransientFetchError } from './fetch-error.ts'
import type { FileRequest } from './file-request.ts'
import type { AnswerNames } from './names/file-name.ts'
import { decodedBody, decoderOf } from './http/decoded-body.ts'
import type { Decoder } from './http/decoded-body.ts'
import { readAnswer } from './http/range-response.ts'
import type { Answer, RequestedRange, Version } from './http/range-response.ts'
import type { ResponseBody } from './http/response-body.ts'
import type { UrlResponse } from './http/carry-response.ts'
import type { OpenedUrl } from './open-url.ts'

/** The headers of a whole file. */
export interface WholeAnswer {
  readonly version: Version
  readonly acceptsRanges: boolean
  readonly names: AnswerNames
}

/** Facts about a file when its stream begins or goes on. */
export interface Resumption {
  readonly version: Version | null
  /** Bytes in front of it are in place. */
  readonly position: number
  /** Answers to a request for the rest that were no such range. From two on, the file is requested from its start. */
  refusedRanges: number
}

/**
 * Requests a file, or the rest of it where the server can prove that it is of the same file.
 * @returns `whole`: the body begins at the start of the file; null: where it broke off
 * @throws TransientFetchError, SourceChanged, Failure
 */
export async function openVersion(
  request: FileRequest,
  known: Resumption,
  signal: AbortSignal,
): Promise<{ response: ResponseBody; whole: WholeAnswer | null }> {
  const { version, position } = known
  const canResume =
    version !== null && version.validator !== null && position > 0 && known.refusedRanges < 2
  const requested = canResume ? { first: position, last: null, of: version } : null
  const { opened, answer, decoder } = await openAnswer(request, requested, signal).catch(
    (error: unknown) => {
      if (requested !== null) known.refusedRanges += error instanceof Refused ? 2 : 1
      if (!(error instanceof Refused) || version === null) throw error
      // Some links forbid ranges, and give the file once more.
      if (requested !== null) throw new TransientFetchError(error.message, null, { cause: error })
      throw new LinkUsedUp(position, error)
    },
  )
  const { response } = opened
  if (answer.kind === 'range') return { response, whole: null }
  const names = {
    url: opened.url.href,
    contentDisposition: response.headers['content-disposition'],
    contentType: response.headers['content-type'],
  }
  if (decoder === null) return { response, whole: { ...answer, names } }
  // Length, ranges and validator are of the encoded bytes.
  const decoded = { validator: null, totalBytes: null }
  return {
    response: decodedBody(response, decoder),
    whole: { version: decoded, acceptsRanges: false, names },
  }
}

/** @throws TransientFetchError, SourceChanged, Failure */
export async function openRange(
  request: FileRequest,
  requested: RequestedRange,
  signal: AbortSignal,
): Promise<UrlResponse> {
  const { opened, answer } = await openAnswer(request, requested, signal)
  if (answer.kind === 'range') return opened.response
  opened.response.destroy()
  throw new SourceChanged()
}

class Refused extends Failure {
  constructor(reason: string) {
    super('UNREACHABLE_INPUT_FILE', reason)
  }
}

class LinkUsedUp extends Failure {
  constructor(position: number, { message }: Refused) {
    const megabytes = (position / 1_000_000).toFixed(1)
    super(
      'UNREACHABLE_INPUT_FILE',
      `broke off after ${megabytes} MB, and then ${message}: the link allows one download; send one that can be opened again`,
    )
  }
}

async function openAnswer(
  request: FileRequest,
  requested: RequestedRange | null,
  signal: AbortSignal,
): Promise<{
  opened: OpenedUrl
  answer: Answer & { kind: 'whole' | 'range' }
  decoder: Decoder | null
}> {
  const opened = await request.open(request.url, requestHeaders(requested), signal)
  try {
    const { status, headers } = opened.response
    const answer = usable(readAnswer(status, headers, requested, request.effects.clock.wall()))
    const decoder = decoderOf(headers['content-encoding'])
    // A range of encoded bytes.
    if (answer.kind === 'range' && decoder !== null) throw new SourceChanged()
    return { opened, answer, decoder }
  } catch (error) {
    opened.response.destroy()
    throw error
  }
}

/** @throws TransientFetchError, SourceChanged, Failure */
function usable(answer: Answer): Answer & { kind: 'whole' | 'range' } {
  switch (answer.kind) {
    case 'again':
      throw new TransientFetchError(answer.reason, answer.retryAfterMs)
    case 'changed':
      throw new SourceChanged()
    case 'refused':
      throw new Refused(answer.reason)
    default:
      return answer
  }
}

/** Some servers answer 403 to a request without the headers that each client sends. */
const ownHeaders = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'user-agent': `cloud-ffmpeg/${packageFile.version}`,
}

function requestHeaders(requested: RequestedRange | null): OutgoingHttpHeaders {
  if (requested === null) return ownHeaders
  const { first, last, of } = requested
  const range = `bytes=${String(first)}-${last === null ? '' : String(last)}`
  const condition = of.validator === null ? {} : { 'if-range': of.validator }
  return { ...ownHeaders, range, ...condition }
}
