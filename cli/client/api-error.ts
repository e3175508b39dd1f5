import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'

/** The service answered with an error. The message names every mistake of a 422. */
export class ApiError extends Error {
  readonly status: number
  /** What the service says is wrong, in one line. */
  readonly detail: string
  /** Of a 422. */
  readonly mistakes: readonly ValidationMistake[]
  readonly retryAfterSeconds: number | null
  /** Names the request in the service's logs. */
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

/** Not our words: a web page, of a proxy or of another server, or nothing. */
function shortened(text: string, response: Response): string {
  if (isWebPage(response, text)) {
    return `${response.url} answered ${response.status} and a web page; is this the address of a Cloud FFmpeg service?`
  }
  return text.trim().slice(0, 500) || response.statusText
}

/** @param text of the answer, where it has been read */
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

/** A proxy in between answers with HTML. */
function detailOf(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
  } catch {
    return undefined
  }
}
