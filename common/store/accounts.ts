/** Reads of accounts and their keys. */
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
  /** Outputs whose command says nothing else are deleted so long after its end; null: never. */
  readonly defaultOutputTtlSeconds: number | null
}

export interface AuthenticatedKey {
  readonly account: Account
  readonly environmentName: string | null
}

/** What an administrator does. */
export interface AccountAdministrationStore {
  /** False where the name or the address is taken; nothing is made then. */
  createAccount(account: NewAccountRecord, key: NewApiKey | null): Promise<boolean>
  /** By name, id or address; null: all, by name. */
  listAccounts(which: string | null): Promise<AccountRecord[]>
  changeAccount(accountId: string, change: AccountChange): Promise<void>
  addApiKey(accountId: string, key: NewApiKey): Promise<void>
  /** Oldest first. */
  listApiKeys(accountId: string): Promise<ApiKeyRecord[]>
  /** Changes the fields that are not undefined. @returns null if the key does not exist */
  changeApiKey(
    keyId: string,
    change: { disabled?: true; environmentName?: string | null },
  ): Promise<ApiKeyRecord | null>
}

export interface NewAccountRecord extends NewAccount {
  /** In lower case. */
  readonly email: string | null
}

export interface AccountRecord extends Account {
  readonly email: string | null
  readonly createdAt: Date
  /** That are not revoked. */
  readonly keys: number
}

/** Changes what is there. */
export interface AccountChange {
  readonly plan?: string
  readonly suspended?: boolean
  readonly defaultOutputTtlSeconds?: number | null
}

export interface NewApiKey {
  readonly keyId: string
  readonly sha256: Uint8Array
  readonly environmentName: string | null
  /** What people call it. */
  readonly label: string | null
}

export interface ApiKeyRecord {
  readonly keyId: string
  readonly accountId: string
  readonly label: string | null
  readonly environmentName: string | null
  readonly disabled: boolean
  readonly createdAt: Date
}
