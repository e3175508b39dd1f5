import type { NewObject } from './object-store.ts'

/** Headers that the storage sends with an object, by the names of the SDK. */
export interface StoredHeaders {
  readonly ContentType: string
  readonly CacheControl: string
  readonly ContentDisposition?: 'attachment'
}

/**
 * The key decides how long an object may be kept: a key is used for one content alone, so that a
 * public one never changes. A private one is read by presigned URLs, and no cache between the
 * storage and its reader may keep it.
 * @param prefix in front of all keys of this installation
 */
export function storedHeaders(
  { key, contentType, attachment }: NewObject,
  prefix: string,
): StoredHeaders {
  const isPublic = key.startsWith(`${prefix}public/`)
  return {
    ContentType: contentType,
    CacheControl: isPublic ? 'public, max-age=31536000, immutable' : 'private, max-age=0',
    ...(attachment ? { ContentDisposition: 'attachment' } : {}),
  }
}

/** Headers of a PUT, by their lower-case names. */
export function headersOf(stored: StoredHeaders): Record<string, string> {
  const { ContentType, CacheControl, ContentDisposition } = stored
  return {
    'content-type': ContentType,
    'cache-control': CacheControl,
    ...(ContentDisposition === undefined ? {} : { 'content-disposition': ContentDisposition }),
  }
}
