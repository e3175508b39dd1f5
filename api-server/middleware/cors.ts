import type { SendAnswer } from './send-answer.ts'
import type { ApiHandler } from './request-context.ts'

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
 */
export function cors(origins: readonly string[], send: SendAnswer): ApiHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    if (origins.length === 0 || origin === undefined) return next()
    // A shared cache must not give one origin the answer for another.
    res.vary('Origin')
    if (!origins.includes('*') && !origins.includes(origin)) return next()
    res.setHeader('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin)
    res.setHeader('Access-Control-Expose-Headers', exposedHeaders)
    const requestedMethod = req.headers['access-control-request-method']
    if (req.method !== 'OPTIONS' || requestedMethod === undefined) return next()
    res.locals.route = 'preflight'
    return send(res, { status: 204, body: undefined, headers: preflightHeaders })
  }
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Max-Age': String(maxAgeSeconds),
}
