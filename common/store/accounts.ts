/** Accounts and their keys. */
export interface AccountStore {
  ensureAccount(account: NewAccount): Promise<Account>
  /** Adds a key by its SHA-256; a known hash changes nothing. */
  ensureApiKey(key: {
    accountId: string
    sha256: Uint8Array
    environmentName: string | null
  }): Promise<void>
  findKey(sha256: Uint8Array): Promise<AuthenticatedKey | null>
  findAccountByName(name: string): Promise<Account | null>
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly plan: string
}

export interface Account extends NewAccount {
  readonly suspended: boolean
}

export interface AuthenticatedKey {
  readonly account: Account
  readonly environmentName: string | null
}
