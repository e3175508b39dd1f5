import { storageUrl } from '../../common/domain/storage-keys.ts'
import type { StoredFile } from '../../common/store/files.ts'
import type { ObjectStore } from '../../common/storage/object-store.ts'
import type { UrlOf } from './file-record.ts'

/** Presigns a GET of an object for a number of seconds. */
export type Presign = (key: string, seconds: number) => Promise<string>

export type FileUrls = (files: readonly StoredFile[], ttlSeconds: number) => Promise<UrlOf>

/** Presigns a URL that browsers save, of a public file too; null while it has no object. */
export type DownloadUrl = (file: StoredFile, seconds: number) => Promise<string | null>

interface Deps {
  /** Base of plain URLs: a CDN, or the storage's endpoint with the bucket. */
  readonly publicBaseUrl: string
  readonly presign: Presign
}

/** Presigns URLs of private files with the requested lifetime; URLs of other files do not change. */
export function createFileUrls({ publicBaseUrl, presign }: Deps): FileUrls {
  return async (files, ttlSeconds) => {
    const keys = files
      .filter((file) => file.isPrivate && file.status === 'STORED' && file.deletedAt === null)
      .flatMap(({ key }) => (key === null ? [] : [key]))
    const signed = new Map(
      await Promise.all(
        (ttlSeconds > 0 ? keys : []).map(
          async (key) => [key, await presign(key, ttlSeconds)] as const,
        ),
      ),
    )
    return ({ key }) => (key === null ? null : (signed.get(key) ?? storageUrl(publicBaseUrl, key)))
  }
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
