import type { MediaFacts } from '../gateway/messages.ts'
import type { FileErrorStatus } from '../failures.ts'
import type { FileStatus } from '../states.ts'

/** Files of an account: outputs of commands, files stored from a URL, uploads. */
export interface FileStore {
  /** A stored file that may be an input of this account, by its object key. */
  findStoredObject(accountId: string, key: string): Promise<{ name: string } | null>
}

/** What a runner wrote. */
export interface NewFile {
  readonly fileId: string
  readonly alias: string
  readonly key: string
  readonly sizeBytes: number
  readonly compressedBytes: number | null
  readonly fileCount: number | null
  readonly media: MediaFacts
}

/** A record of the files list, in whatever state. */
export interface StoredFile {
  readonly fileId: string
  readonly storeType: 'OUTPUT' | 'STORED_FILE'
  readonly status: FileStatus
  readonly errorStatus: FileErrorStatus | null
  readonly errorMessage: string | null
  /** null: not the output of a command. */
  readonly commandId: string | null
  readonly alias: string | null
  readonly environmentName: string | null
  readonly isPrivate: boolean
  /** null until its object exists. */
  readonly key: string | null
  /** The URL that it was stored from, or the name of an uploaded file; null for outputs. */
  readonly originalFileUrl: string | null
  readonly sizeBytes: number | null
  readonly compressedBytes: number | null
  readonly fileCount: number | null
  /** null until it was probed. */
  readonly media: MediaFacts | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly deletedAt: Date | null
}
