/** The facts of an answer on which its cache headers depend. */
export interface Cacheable {
  /** Whether the route needs a key. */
  readonly isPrivate: boolean
  /** Whether the answer has an ETag, which a client sends with its next request. */
  readonly hasEtag: boolean
  readonly isStream: boolean
}

/**
 * Which caches may keep an answer to a request with a key. A shared cache keeps any answer without these headers, unless
 * the request has `Authorization` (RFC 9111, section 3.5), and `X-API-KEY` is not that header: a CDN would give
 * one account the answer of another.
 * @returns the header fields; null for a route without a key, which sets its own
 */
export function cacheHeaders({ isPrivate, hasEtag, isStream }: Cacheable): CacheHeaders | null {
  if (!isPrivate) return null
  // A proxy that compresses a stream holds its events back.
  if (isStream) return { cacheControl: 'private, no-store, no-transform', vary: '' }
  if (!hasEtag) return { cacheControl: 'private, no-store', vary: '' }
  // A browser keeps the answer and sends its ETag with the next poll, which is then a 304 without a body.
  return { cacheControl: 'private, no-cache', vary: 'X-API-KEY, Authorization' }
}

export interface CacheHeaders {
  readonly cacheControl: string
  /** Header fields to add to `Vary`; may be empty. */
  readonly vary: string
}
