/** Rows that the retention deletes page by page. */
export type RetentionKind = 'logs' | 'originals' | 'file-originals' | 'records'

/** Store methods of the retention, which the operator's leader runs. */
export interface RetentionStore {
  /** Accounts that are due, the most overdue first; without those that are being deleted. */
  findDueAccounts(limit: number): Promise<DueAccount[]>
  /** The visit is complete; the next one is due in a day. */
  endRetentionVisit(accountId: string): Promise<void>
  postponeRetention(accountId: string, seconds: number): Promise<void>
  /**
   * The next page of a walk from the old end of a list. It changes nothing of the data: objects are
   * deleted before `removeExpired` deletes their rows, so that a crash in between loses no object.
   */
  findExpired(query: ExpiredQuery): Promise<ExpiredPage>
  /**
   * Deletes or empties the rows of the page, if they may still go, and moves the walk behind it.
   * @returns the number of rows
   */
  removeExpired(query: Pick<ExpiredQuery, 'accountId' | 'kind'>, page: ExpiredPage): Promise<number>
  /** All attempts of the commands: each may have objects of its own. */
  findAttempts(
    commandIds: readonly string[],
  ): Promise<{ readonly commandId: string; readonly attempt: string }[]>
  /** Work on stored files that ended at least so long ago, and whose resource is gone as long. */
  findFileWork(query: {
    accountId: string
    olderThanSeconds: number
    limit: number
  }): Promise<string[]>
  removeFileWork(accountId: string, commandIds: readonly string[]): Promise<number>
  /** Records of failed files, `days` after their creation, and of deleted ones, 30 days after their sweep. */
  removeFileRecords(query: {
    accountId: string
    /** null keeps failed files. */
    days: number | null
    limit: number
  }): Promise<number>
  /** Sums of months that ended more than 13 months ago, and of hours more than 400 days ago. */
  removeOldUsage(accountId: string): Promise<void>
  /** Deletes what counts no row any more in the lists of the account. */
  removeEmptyBuckets(accountId: string): Promise<void>
}

export interface DueAccount {
  readonly accountId: string
  readonly plan: string
  /** Since when it is due; 0 at the first visit. */
  readonly overdueSeconds: number
}

export interface ExpiredQuery {
  readonly accountId: string
  readonly kind: RetentionKind
  /** Age since the submission, by the database's clock. */
  readonly days: number
  readonly limit: number
  /** A complete pass is followed by another one from the old end, so long after it began. */
  readonly restartAfterSeconds: number
}

export interface ExpiredPage {
  /** Rows that may go; those that have to stay are passed and found again by the next pass. */
  readonly ids: readonly string[]
  /** Rows that the page has read. */
  readonly read: number
  /** Start of the next page. */
  readonly position: ListPosition
  /** No older row follows. */
  readonly isLast: boolean
}

export interface ListPosition {
  /** Text, because a `Date` would cut the microseconds off. */
  readonly createdAt: string
  readonly id: string
}
