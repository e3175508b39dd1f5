import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'

/** The service answered with an error. The message names every mistake of a 422. */
export class ApiError extends Error {
  readonly status: number
  /** The service's error message, in one line. */
  readonly detail: string
  /** Mistakes of a 422. */
  readonly mistakes: readonly ValidationMistake[]
  readonly retryAfterSeconds: number | null
  /** Id of the request in the service's logs. */
  readonly requestId: string | null

  constructor(facts: {
    status: number
    detail: string
    mistakes: readonly ValidationMistake[]
    retryAfterSeconds: number | null
    requestId: string | null
  }) {
    super(`${facts.status}: ${facts.detail}`)
    this.name = 'ApiError'
    this.status = facts.status
    this.detail = facts.detail
    this.mistakes = facts.mistakes
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.requestId = facts.requestId
  }
}

export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const text = await response.text()
  const mistakes = mistakesIn(text)
  const sentences = mistakes.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN)
  return new ApiError({
    status: response.status,
    detail:
      sentences.length > 0 ? sentences.join('; ') : (detailIn(text) ?? shortened(text, response)),
    mistakes,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    requestId: response.headers.get('x-request-id'),
  })
}

/** Text of an answer without the API's error: a web page of a proxy or another server, or an empty body. */
function shortened(text: string, response: Response): string {
  if (isWebPage(response, text)) {
    const hint = response.status < 500 ? '; is a path prefix missing?' : ''
    return `${response.url} answers ${response.status} with a web page, not the API${hint}`
  }
  return text.trim().slice(0, 500) || response.statusText
}

/** @param text of the answer, if it has been read */
export function isWebPage({ headers }: Response, text = ''): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
}

function mistakesIn(text: string): ValidationMistake[] {
  const detail = detailOf(text)
  return Array.isArray(detail) ? (detail as ValidationMistake[]) : []
}

function detailIn(text: string): string | null {
  const detail = detailOf(text)
  return typeof detail === 'string' ? detail : null
}

/** undefined for the HTML of a proxy. */
function detailOf(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
  } catch {
    return undefined
  }
}

/** The service could not be reached, or the connection broke before its answer was complete. */
export class NoAnswerError extends Error {
  constructor(url: string, cause: unknown) {
    super(`no answer from ${new URL(url).origin}: ${reasonOf(cause)}`, { cause })
    this.name = 'NoAnswerError'
  }
}

/** fetch's message is "fetch failed"; the reason is in its cause, which has no message for several addresses. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const code = codeOf(error)
  const words = sentences.get(code ?? error.message)
  if (words !== undefined) return code === null ? words : `${words} (${code})`
  return error.message === '' ? (code ?? error.name) : error.message
}

/** The part of the network that failed: the name of the host, its certificate, or null for another. */
export function networkFault(error: unknown): 'DNS' | 'TLS' | null {
  if (!(error instanceof Error)) return null
  if (error.cause !== undefined) return networkFault(error.cause)
  const code = codeOf(error) ?? ''
  if (nameSentences.has(code)) return 'DNS'
  return certificateSentences.has(code) ? 'TLS' : null
}

function codeOf(error: Error): string | null {
  return 'code' in error ? String(error.code) : null
}

const nameSentences: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'the host name does not exist; is the address right?'],
  ['EAI_AGAIN', 'its name could not be resolved; is there a network?'],
])

const ownAuthority =
  'this machine does not know who signed its certificate; name the file of your own authority in NODE_EXTRA_CA_CERTS'

/** Codes of OpenSSL and of Node.js. */
const certificateSentences: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', ownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', ownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ownAuthority],
  [
    'CERT_HAS_EXPIRED',
    "its certificate has expired; its administrator has to renew it, or this machine's clock is wrong",
  ],
  ['CERT_NOT_YET_VALID', "its certificate is not valid yet; is this machine's clock right?"],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'its certificate is for another host name; use the name that it was made for',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS there; is the address http, not https?'],
  [
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'it does not speak TLS there; is the address http, not https?',
  ],
])

/** Sentences by the code of the operating system, or by the message of fetch. */
const sentences: ReadonlyMap<string, string> = new Map([
  ...nameSentences,
  ...certificateSentences,
  ['ECONNREFUSED', 'nothing listens there; is the service running, and is this its port?'],
  ['ETIMEDOUT', 'the host did not answer; is this the address of the service?'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host did not answer; is this the address of the service?'],
  ['bad port', 'web clients open no connection to this port; give the service another'],
])

/** The answer is not of this API but of a web page or a proxy. A permanent error. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}

export function webPage({ url }: Response): UnexpectedAnswer {
  return new UnexpectedAnswer(
    `${url} answers with a web page, not the API; is a path prefix missing?`,
  )
}
