import type { ObjectOwner } from '../domain/object-owner.ts'
import type { MediaFacts } from '../gateway/messages.ts'
import type { FileErrorStatus } from '../domain/failures.ts'
import type { FileStatus } from '../domain/states.ts'
import type { SweepBacklog } from './health.ts'
import type { FileFilter, LiveFile } from './lists/file-filters.ts'

/** Files of an account: outputs of commands, files stored from a URL, uploads. */
export interface FileStore {
  /** A stored file that may be an input of this account, by its object key. */
  findStoredObject(accountId: string, key: string): Promise<{ name: string } | null>
}

export interface FileKey {
  readonly accountId: string
  readonly fileId: string
}

/** The files calls of the REST API. Files of another account do not exist. */
export interface StoredFileStore {
  /** Inserts a file that a runner will download. The row and its work are one commit. */
  insertStoredFile(file: NewStoredFile): Promise<void>
  /** Inserts the row of an upload and its session without an upload id. Idempotent. */
  openUpload(upload: NewUpload): Promise<{ repeated: boolean }>
  /** null: not begun yet, or ended. */
  findUploadId(fileId: string): Promise<string | null>
  /**
   * Records the upload id of the object store; the session's timeout begins. An upload id that was
   * recorded before stays. null: the session has ended meanwhile.
   */
  recordUploadId(begun: {
    fileId: string
    uploadId: string
    sessionSeconds: number
  }): Promise<UploadSession | null>
  /** One of several concurrent calls gets the session, the others `completing` until its release. */
  claimCompletion(claim: {
    accountId: string
    fileId: string
    claimSeconds: number
  }): Promise<CompletionClaim | NoOpenUpload>
  /** Releases the session if its upload could not be completed. */
  releaseCompletion(fileId: string, claim: string): Promise<void>
  /** Sets UPLOADED and inserts the analysis in one commit. null: the session has ended otherwise. */
  completeUpload(completed: { accountId: string; fileId: string }): Promise<StoredFile | null>
  /** Sets FAILED with CANCELLED. */
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
  /** Those of the files that their accounts have. */
  findFiles(keys: readonly FileKey[]): Promise<(StoredFile & { readonly accountId: string })[]>
  /** Deletes all or none. Cancels unfinished work on them and ends open sessions. */
  deleteFiles(query: {
    accountId: string
    fileIds: readonly string[]
    /** Refuse playlists instead of deleting them. */
    withoutManifests: boolean
  }): Promise<FilesDeleted>
  /** Deletes all files that a command stored. @returns false if there are none */
  deleteCommandFiles(accountId: string, commandId: string): Promise<boolean>
}

/** Filtered lists of files, and what followers of an account poll of them. */
export interface FileFilterStore {
  /** Newest first, then by id descending; without deleted ones. */
  filterFiles(filter: FileFilter): Promise<StoredFile[]>
  /**
   * At most one output of each command, which a browser may show as a picture: the first image of at most 8 MB, else the
   * first video; without deleted ones, and private ones without presigned URLs.
   */
  findPreviews(accountId: string, commandIds: readonly string[]): Promise<StoredFile[]>
  /**
   * Files of each account that are not final, at most `most` of each status, newest first, and those created in
   * the last 10 s that are.
   */
  findLiveFiles(accountIds: readonly string[], most: number): Promise<LiveFile[]>
  findLiveFilesByIds(fileIds: readonly string[]): Promise<LiveFile[]>
}

/** Store methods of the sweep of files, which the operator's leader runs. */
export interface FileSweepStore {
  /** Sets expired sessions to FAILED with UPLOAD_EXPIRED. @returns how many */
  expireUploads(limit: number): Promise<number>
  /** Deletes files past `expires_at`. @returns how many */
  expireFiles(limit: number): Promise<number>
  /**
   * Deleted and failed files whose objects still exist, except files whose work still runs and those
   * whose sweep was postponed.
   */
  findSweepableFiles(page: { limit: number }): Promise<SweepableFile[]>
  markFilesSwept(fileIds: readonly string[]): Promise<void>
  /** The sweep failed: the files are due again after 30 s, doubled with each failure up to 6 hours. */
  postponeFileSweeps(fileIds: readonly string[]): Promise<void>
  /** A file that failed counts as due from its creation. */
  fileSweepBacklog(): Promise<SweepBacklog>
}

/** The sweep of recorded orphans, which the operator's leader runs. */
export interface OrphanSweepStore {
  /** Orphans that were found seven days ago or earlier, except those whose sweep was postponed. */
  findDueOrphans(page: { limit: number }): Promise<ObjectOwner[]>
  /** They were swept, or belong to a row by now. */
  forgetOrphan(owner: ObjectOwner): Promise<void>
  /** The sweep failed: due again after 30 s, doubled with each failure up to 6 hours. */
  postponeOrphan(owner: ObjectOwner): Promise<void>
  /** Orphans younger than seven days are not due. */
  orphanBacklog(): Promise<SweepBacklog>
}

export interface NewStoredFile {
  readonly fileId: string
  readonly accountId: string
  readonly environmentName: string | null
  readonly isPrivate: boolean
  readonly webhookUrl: string | null
  readonly originalFileUrl: string
  /** Expires so many days after its creation; null or absent: it is kept. */
  readonly keepDays?: number | null
  /** null or absent: the record of a private file has its plain URL. */
  readonly presignedTtlSeconds?: number | null
}

export interface NewUpload extends NewStoredFile {
  readonly key: string
  readonly sizeBytes: number
  readonly partBytes: number
  /** Timeout until the session must have begun in the object store. */
  readonly beginSeconds: number
}

export interface UploadSession {
  readonly uploadId: string
  readonly key: string
  readonly sizeBytes: number
  /** Size of every part but the last. */
  readonly partBytes: number
  readonly expiresAt: Date
  /** Seconds from now on, by the database's clock. */
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
  /** The upload is not, or no longer, in progress. */
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
  /** A playlist: the sweep deletes its folder. */
  readonly isManifest: boolean
}

/** A file that a runner stored. */
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
  /** Lifetime of the presigned URL in its record where it is private; null: the record has the plain URL. */
  readonly presignedTtlSeconds: number | null
  /** null until its object exists. */
  readonly key: string | null
  /** The URL that it was stored from, or the name of an uploaded file; null for outputs. */
  readonly originalFileUrl: string | null
  readonly sizeBytes: number | null
  readonly compressedBytes: number | null
  readonly fileCount: number | null
  /** null until the probe has succeeded. */
  readonly media: MediaFacts | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly deletedAt: Date | null
}
