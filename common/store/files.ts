import type { MediaFacts } from '../gateway/messages.ts'

/** Stored files. */
export interface FileStore {
  /** A stored file that may be an input of this account, by its object key. */
  findStoredObject(accountId: string, key: string): Promise<{ name: string } | null>
}

export interface NewFile {
  readonly fileId: string
  readonly alias: string
  readonly key: string
  readonly sizeBytes: number
  readonly compressedBytes: number | null
  readonly fileCount: number | null
  readonly media: MediaFacts
}

export interface StoredFile extends NewFile {
  readonly commandId: string
  readonly environmentName: string | null
  readonly isPrivate: boolean
  readonly createdAt: Date
  readonly deletedAt: Date | null
}
