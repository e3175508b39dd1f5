import { reply } from './reply.ts'
import { contextOf } from './request-context.ts'
import type { RequestHandler, Response } from 'express'

const allowedMethods = 'GET, HEAD, POST, PUT, DELETE'
const allowedHeaders = 'X-API-KEY, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id'
const exposedHeaders = 'X-Request-Id, Retry-After, Idempotency-Replayed, Warning'
/** Browsers cache a preflight at most this long (Chromium: two hours). */
const maxAgeSeconds = 7_200

/**
 * Lets pages of these origins call the API from a browser (Fetch standard, CORS protocol). Browsers
 * never send the key by themselves, unlike a cookie, so `*` gives no page access to another's account.
 * @param origins such as `https://app.example`, or `*` for all; empty: no page may
 */
export function cors(origins: readonly string[]): RequestHandler {
  return async (request, response, next) => {
    const origin = request.get('origin')
    if (origins.length === 0 || origin === undefined) return next()
    // A shared cache must not give one origin the answer for another.
    response.vary('Origin')
    if (!origins.includes('*') && !origins.includes(origin)) return next()
    response.setHeader('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin)
    response.setHeader('Access-Control-Expose-Headers', exposedHeaders)
    const requestedMethod = request.get('access-control-request-method')
    if (request.method !== 'OPTIONS' || requestedMethod === undefined) return next()
    contextOf(request).route = 'preflight'
    return answerPreflight(response)
  }
}

/** Browsers send the preflight without the key, so it comes before authentication. */
function answerPreflight(response: Response): Promise<void> {
  const headers = {
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': String(maxAgeSeconds),
  }
  return reply(response, { status: 204, body: undefined, headers })
}
