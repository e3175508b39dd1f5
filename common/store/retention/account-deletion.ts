/** Store methods of the deletion of whole accounts. */
export interface AccountDeletionStore {
  /**
   * Disables the keys, forgets the address and the webhook, and lets the operator delete the rest.
   * It cannot be taken back. Idempotent.
   */
  beginAccountDeletion(accountId: string): Promise<void>
  /** Accounts to delete, the oldest request first. */
  findAccountDeletions(limit: number): Promise<AccountToDelete[]>
  /** Unfinished commands without a request to cancel; takes the address of their event away. */
  findUncancelled(accountId: string, limit: number): Promise<string[]>
  /** Files that are not deleted. */
  findUndeletedFiles(accountId: string, limit: number): Promise<string[]>
  /** Records of stored files that are deleted and swept. @returns how many */
  removeSweptFiles(accountId: string, limit: number): Promise<number>
  /** Events and answers that are kept for repetitions. @returns how many */
  removeAccountEvents(accountId: string, limit: number): Promise<number>
  /** No command and no file of it is left. */
  isAccountEmpty(accountId: string): Promise<boolean>
  /** Deletes the account itself; `deleted_accounts` keeps its id and these figures. */
  finishAccountDeletion(accountId: string, objects: number): Promise<void>
}

export interface AccountToDelete {
  readonly accountId: string
  /** Since the request. */
  readonly seconds: number
}
