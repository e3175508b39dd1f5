import type { OutgoingHttpHeaders } from 'node:http'
import { Failure } from '../../../common/domain/failures.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import { urlRefusal } from '../../../common/network/url-policy.ts'
import type { ConnectionPool } from './http/connection-pool.ts'
import { sendGet } from './http/send-get.ts'
import type { UrlResponse } from './http/carry-response.ts'

export interface OpenedUrl {
  /** After redirects. */
  readonly url: URL
  readonly response: UrlResponse
}

export type OpenUrl = (
  url: URL,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
) => Promise<OpenedUrl>

/** Timeout in ms from the request to the end of the answer's headers, on each hop. */
export const headersMs = 30_000
export const redirectLimit = 5

export class HeadersTimeout extends Error {
  override readonly name = 'HeadersTimeout'
}

/**
 * Opens customers' URLs: each hop of a redirect is checked in full, without cookies and without
 * authorization, so that no server can lead the runner to an address that the first URL must not
 * have.
 */
export function guardedOpen(pool: ConnectionPool, clock: Clock): OpenUrl {
  return async (url, headers, signal) => {
    let hop = url
    for (let redirects = 0; ; redirects++) {
      const refusal = urlRefusal(hop)
      if (refusal !== null) throw new Failure('UNREACHABLE_INPUT_FILE', refusal)
      const response = await request(hop, headers, pool, clock, signal)
      const next = redirectTarget(hop, response)
      if (next === null) return { url: hop, response }
      response.destroy()
      if (redirects === redirectLimit) {
        throw new Failure('UNREACHABLE_INPUT_FILE', 'redirects more than 5 times')
      }
      hop = next
    }
  }
}

/**
 * Opens a URL of our own storage unchanged: without a guard, because it is inside, and without
 * redirects.
 */
export function directOpen(pool: ConnectionPool, clock: Clock): OpenUrl {
  return async (url, headers, signal) => ({
    url,
    response: await request(url, headers, pool, clock, signal),
  })
}

function redirectTarget(from: URL, response: UrlResponse): URL | null {
  const location = response.headers.location
  if (location === undefined || !redirectCodes.has(response.status)) return null
  // Each byte of a header arrives as one character. Encoded, they are what the server meant, in UTF-8 or Latin-1.
  const encoded = location.replaceAll(/[\x80-\xff]/g, percentEncoded)
  const target = URL.parse(encoded, from.href)
  if (target === null) throw new Failure('UNREACHABLE_INPUT_FILE', 'redirects to an invalid URL')
  return target
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

const redirectCodes: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

async function request(
  url: URL,
  headers: OutgoingHttpHeaders,
  pool: ConnectionPool,
  clock: Clock,
  signal: AbortSignal,
): Promise<UrlResponse> {
  const sent = sendGet(url, headers, pool, signal)
  const cancel = clock.schedule(headersMs, () => {
    sent.destroy(new HeadersTimeout(`no answer within ${String(headersMs / 1000)} s`))
  })
  try {
    return await sent.response
  } finally {
    cancel()
  }
}
