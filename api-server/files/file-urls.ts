import { setImmediate } from 'node:timers/promises'
import { storageUrl } from '../../common/domain/storage-keys.ts'
import type { StoredFile } from '../../common/store/files.ts'
import type { ObjectStore } from '../../common/storage/object-store.ts'
import type { UrlOf } from './file-record.ts'

/** Presigns a GET of an object for a number of seconds. */
export type Presign = (key: string, seconds: number) => Promise<string>

/**
 * @param seconds lifetime of the presigned URLs of private files; 0: plain URLs; null: for each file the lifetime that
 *   was requested at its submission, if one was
 */
export type FileUrls = (files: readonly StoredFile[], seconds: number | null) => Promise<UrlOf>

/** Presigns a URL that browsers save, of a public file too; null while it has no object. */
export type DownloadUrl = (file: StoredFile, seconds: number) => Promise<string | null>

interface Deps {
  /** Base of plain URLs: a CDN, or the storage's endpoint with the bucket. */
  readonly publicBaseUrl: string
  readonly presign: Presign
}

/** A page of a list may have 1,000 private files, and each signature takes up to a millisecond of the event loop. */
const signedAtOnce = 20

/** Presigns URLs of private files; URLs of other files do not change. */
export function createFileUrls({ publicBaseUrl, presign }: Deps): FileUrls {
  return async (files, seconds) => {
    const wanted = files.filter((file) => isPresigned(file, seconds))
    const signed = new Map<string | null, string>()
    for (const [index, { key, presignedTtlSeconds }] of wanted.entries()) {
      if (index > 0 && index % signedAtOnce === 0) await setImmediate()
      signed.set(key, await presign(key ?? '', seconds ?? presignedTtlSeconds ?? 0))
    }
    return ({ key }) => (key === null ? null : (signed.get(key) ?? storageUrl(publicBaseUrl, key)))
  }
}

/** Whether `FileUrls` presigns the URL of the file; an answer with such a URL is a secret. */
export function isPresigned(file: StoredFile, seconds: number | null): boolean {
  const isOpen = file.key !== null && file.status === 'STORED' && file.deletedAt === null
  return isOpen && file.isPrivate && (seconds ?? file.presignedTtlSeconds ?? 0) > 0
}

/** TTL as it is kept: a requested 0 leaves the URLs plain. */
export function presignedTtlSeconds(request: {
  readonly presigned_ttl_seconds?: number | null
}): number | null {
  const seconds = request.presigned_ttl_seconds ?? 0
  return seconds === 0 ? null : seconds
}

export function createDownloadUrl({ presignGet }: Pick<ObjectStore, 'presignGet'>): DownloadUrl {
  return async ({ key, originalFileUrl, deletedAt }, seconds) => {
    if (key === null || deletedAt !== null) return null
    const stored = key.slice(key.lastIndexOf('/') + 1)
    // The name of an upload is not limited to the characters of a key; a URL is not a name.
    const isName = originalFileUrl !== null && !originalFileUrl.includes('/')
    const saveAs = isName ? originalFileUrl : stored
    return presignGet({ key, expiresSeconds: seconds, endpoint: 'public', saveAs })
  }
}
