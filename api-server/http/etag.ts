import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A strong validator: equal for equal bytes. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Whether the client's copy of a body is the present one (RFC 9110, section 13.1.2). */
export function isUnchanged(headers: IncomingHttpHeaders, etag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined || known === '') return false
  // A reload in a browser needs the answer itself.
  if (/(?:^|,)\s*no-cache\s*(?:,|$)/.test(headers['cache-control'] ?? '')) return false
  if (known.trim() === '*') return true
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
