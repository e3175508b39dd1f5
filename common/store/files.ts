import type { MediaFacts } from '../gateway/messages.ts'
import type { FileErrorStatus } from '../domain/failures.ts'
import type { FileStatus } from '../domain/states.ts'

/** Files of an account: outputs of commands, files stored from a URL, uploads. */
export interface FileStore {
  /** A stored file that may be an input of this account, by its object key. */
  findStoredObject(accountId: string, key: string): Promise<{ name: string } | null>
}

/** The files calls of the REST API. Files of another account do not exist. */
export interface StoredFileStore {
  /** A file that a runner will fetch. The row and its work are one commit. */
  insertStoredFile(file: NewStoredFile): Promise<void>
  /** The row of an upload, and its session without an upload id. Changes nothing where it exists. */
  openUpload(upload: NewUpload): Promise<{ repeated: boolean }>
  /** null: not begun yet, or ended. */
  findUploadId(fileId: string): Promise<string | null>
  /**
   * Records what the object store opened; the session's time begins. An upload id that was recorded
   * before stays. null: the session has ended meanwhile.
   */
  recordUploadId(begun: {
    fileId: string
    uploadId: string
    sessionSeconds: number
  }): Promise<UploadSession | null>
  /** Of concurrent calls one gets the session, the others `completing` until it is given back. */
  claimCompletion(claim: {
    accountId: string
    fileId: string
    claimSeconds: number
  }): Promise<CompletionClaim | NoOpenUpload>
  /** Gives the session back where its upload could not be completed. */
  releaseCompletion(fileId: string, claim: string): Promise<void>
  /** UPLOADED and its analysis in one commit. null: the session has ended, another way. */
  completeUpload(completed: { accountId: string; fileId: string }): Promise<StoredFile | null>
  /** FAILED, CANCELLED. */
  abortUpload(abort: { accountId: string; fileId: string }): Promise<AbortedUpload | NoOpenUpload>
  /** Newest first, then by id descending; without deleted ones. */
  listFiles(query: {
    accountId: string
    status: FileStatus | null
    limit: number
    offset: number
  }): Promise<StoredFile[]>
  /** Deleted files too. */
  findFile(accountId: string, fileId: string): Promise<StoredFile | null>
  /** All of them or none. Unfinished work on them is cancelled, open sessions end. */
  deleteFiles(query: {
    accountId: string
    fileIds: readonly string[]
    /** Refuse playlists instead of deleting them. */
    withoutManifests: boolean
  }): Promise<FilesDeleted>
  /** Everything that a command stored; false where there is nothing (left). */
  deleteCommandFiles(accountId: string, commandId: string): Promise<boolean>
}

/** Store methods of the sweep of files, which the operator's leader runs. */
export interface FileSweepStore {
  /** Sessions past their time become FAILED, UPLOAD_EXPIRED. @returns how many */
  expireUploads(limit: number): Promise<number>
  /** Files past `expires_at` are deleted. @returns how many */
  expireFiles(limit: number): Promise<number>
  /** Deleted and failed files whose objects are there still, by id; none whose work still runs. */
  findSweepableFiles(page: { after: string | null; limit: number }): Promise<SweepableFile[]>
  markFilesSwept(fileIds: readonly string[]): Promise<void>
}

export interface NewStoredFile {
  readonly fileId: string
  readonly accountId: string
  readonly environmentName: string | null
  readonly isPrivate: boolean
  readonly webhookUrl: string | null
  readonly originalFileUrl: string
}

export interface NewUpload extends NewStoredFile {
  readonly key: string
  readonly sizeBytes: number
  readonly partBytes: number
  /** So long the session may take to be begun in the object store. */
  readonly beginSeconds: number
}

export interface UploadSession {
  readonly uploadId: string
  readonly key: string
  readonly sizeBytes: number
  readonly expiresAt: Date
  /** From now on, by the database's clock. */
  readonly secondsLeft: number
}

export interface CompletionClaim extends UploadSession {
  readonly kind: 'claimed'
  /** Names the claim in `releaseCompletion`. */
  readonly claim: string
}

export interface AbortedUpload {
  readonly kind: 'aborted'
  readonly file: StoredFile
  readonly key: string
  readonly uploadId: string
}

export type NoOpenUpload =
  | { readonly kind: 'unknown' }
  /** Not, or no longer, an upload in progress. */
  | { readonly kind: 'ended'; readonly expired: boolean }
  /** Another call is completing it; its claim ends within `forMs`. */
  | { readonly kind: 'completing'; readonly forMs: number }

export type FilesDeleted =
  | { readonly kind: 'deleted' }
  /** Unknown or deleted before; in the order of the request. */
  | { readonly kind: 'missing'; readonly fileIds: string[] }
  | { readonly kind: 'manifests'; readonly fileIds: string[] }

export interface SweepableFile {
  readonly fileId: string
  readonly accountId: string
  readonly storeType: 'OUTPUT' | 'STORED_FILE'
  readonly isPrivate: boolean
  readonly key: string | null
  readonly originalFileUrl: string | null
  /** A playlist: its folder goes. */
  readonly isManifest: boolean
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

/** A record of the files list, in any state. */
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
