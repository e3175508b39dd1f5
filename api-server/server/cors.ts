import type { Answer } from '../http/errors.ts'
import type { Exchange } from './exchange.ts'

const allowedMethods = 'GET, HEAD, POST, PUT, DELETE'
const allowedHeaders = 'X-API-KEY, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id'
const exposedHeaders =
  'X-Request-Id, Retry-After, Idempotency-Replayed, Warning, X-Ignored-Parameters'
/** Browsers cache a preflight at most this long (Chromium: two hours). */
const maxAgeSeconds = 7_200

/**
 * Lets pages of these origins call the API from a browser (Fetch standard, CORS protocol). Browsers
 * never send the key by themselves, unlike a cookie, so `*` gives no page access to another's account.
 * Browsers send the preflight without the key, so it comes before authentication.
 * @param origins such as `https://app.example`, or `*` for all; empty: no page may
 * @returns the answer to a preflight; null for other requests
 */
export function allowOrigin(origins: readonly string[], exchange: Exchange): Answer | null {
  const { request, headers } = exchange
  const { origin } = request.headers
  if (origins.length === 0 || origin === undefined) return null
  // A shared cache must not give one origin the answer for another.
  headers.push('Vary', 'Origin')
  if (!origins.includes('*') && !origins.includes(origin)) return null
  headers.push('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin)
  headers.push('Access-Control-Expose-Headers', exposedHeaders)
  const requestedMethod = request.headers['access-control-request-method']
  if (request.method !== 'OPTIONS' || requestedMethod === undefined) return null
  exchange.route = 'preflight'
  return { status: 204, body: undefined, headers: preflightHeaders }
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Max-Age': String(maxAgeSeconds),
}
