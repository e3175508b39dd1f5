import type { ObjectOwner } from '../../domain/object-owner.ts'

/** Calls of the check after a restore of the database. */
export interface RestoreCheckStore {
  /** Stored files of an account, the newest first, after `after`. */
  pageStoredFiles(page: {
    accountId: string
    after: FilePlace | null
    limit: number
  }): Promise<(FilePlace & { readonly key: string })[]>
  /**
   * Deletes files whose objects are missing, with that as the reason. What is left of a playlist is swept seven
   * days later.
   * @returns how many were not deleted before
   */
  markFilesLost(fileIds: readonly string[]): Promise<number>
  /** Those of the owners that no row explains. */
  findOrphans(owners: readonly ObjectOwner[]): Promise<FoundOrphan[]>
  /** Objects of an orphan that was recorded before stay due at the time of the first record. */
  recordOrphans(orphans: readonly Orphan[]): Promise<void>
  /** Counts recorded orphans that are not swept yet. @param accountId null: of all accounts */
  countOrphans(accountId: string | null): Promise<OrphanCount>
}

export interface OrphanCount {
  readonly owners: number
  readonly objects: number
  readonly bytes: number
  /** Owners of which a sweep has failed. */
  readonly failing: number
}

/** Position in the list of files of an account. */
export interface FilePlace {
  readonly fileId: string
  /** With microseconds, which a Date does not have. */
  readonly createdAt: string
}

/** An owner without a row, or an attempt that its command does not know. */
export interface FoundOrphan extends ObjectOwner {
  /** Position in the question. */
  readonly index: number
  /** The command has failed: it may still be recorded as SUCCESS if the attempt has a result object. */
  readonly hasFailed: boolean
  /** null: it was not recorded before. */
  readonly foundAt: Date | null
}

export interface Orphan extends ObjectOwner {
  readonly objects: number
  readonly bytes: number
}
