import type { ProblemCode, ValidationMistake } from '../../common/openapi/openapi-types.ts'

/** The code of a refusal that names no other; programs switch on codes, and the texts beside them may change. */
const codes: Readonly<Record<number, ProblemCode>> = {
  400: 'wrong_state',
  401: 'invalid_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'body_too_large',
  422: 'invalid_request',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal_error',
  503: 'unavailable',
}

/** The body of a refusal: no-code tools show `message`, and read neither lists nor `detail`. */
export function problemBody(
  status: number,
  detail: string | readonly ValidationMistake[],
  code: ProblemCode = codes[status] ?? 'internal_error',
) {
  return { detail, code, message: typeof detail === 'string' ? detail : messageOf(detail) }
}

/** Each mistake with its place, the first one first. */
function messageOf(mistakes: readonly ValidationMistake[]): string {
  return mistakes
    .map(({ loc, msg }) => `${loc.length > 1 ? loc.slice(1).join('.') : loc.join('')}: ${msg}`)
    .join('; ')
}
