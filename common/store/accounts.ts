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
  /** Default TTL of outputs after their command's end; null keeps them. */
  readonly defaultOutputTtlSeconds: number | null
}

export interface AuthenticatedKey {
  readonly account: Account
  readonly environmentName: string | null
}

/** Store methods of the administration. */
export interface AccountAdministrationStore {
  /** @returns false, and creates nothing, if the name or the address is taken */
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
  /** Its deletion was requested then; null: it was not. */
  readonly deletingAt: Date | null
  /** Number of keys that are not revoked. */
  readonly keys: number
}

/** Fields to change; undefined keeps the present value. */
export interface AccountChange {
  readonly plan?: string
  readonly suspended?: boolean
  readonly defaultOutputTtlSeconds?: number | null
}

export interface NewApiKey {
  readonly keyId: string
  readonly sha256: Uint8Array
  readonly environmentName: string | null
  /** Name for display. */
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
