import type { AccountLimits, AccountPlan, LimitName } from '../domain/plans.ts'

/** Reads of accounts and their keys. */
export interface AccountStore {
  ensureAccount(account: NewAccount): Promise<Account>
  /** Adds a key by its SHA-256; a known hash changes nothing. */
  ensureApiKey(key: {
    accountId: string
    sha256: Uint8Array
    environmentName: string | null
  }): Promise<void>
  /**
   * Adds the key that the bootstrap Secret holds, and revokes those that it held before. A key that was revoked
   * stays so.
   */
  ensureFirstKey(key: { accountId: string; sha256: Uint8Array }): Promise<FirstKeyState>
  /** null for a key that is unknown, revoked or expired, or whose account is being deleted. */
  findKey(sha256: Uint8Array): Promise<AuthenticatedKey | null>
  findAccountByName(name: string): Promise<Account | null>
}

/** Keys, for their accounts and for the administration. */
export interface KeyStore extends Pick<
  AccountStore,
  'ensureApiKey' | 'ensureFirstKey' | 'findKey'
> {
  /** At most once a minute. `prefix` is kept if none is known yet. */
  noteKeyUse(keyId: string, prefix: string | null): Promise<void>
  addApiKey(accountId: string, key: NewApiKey): Promise<ApiKeyRecord>
  /** @returns null if the account has `most` other valid keys */
  addOwnApiKey(accountId: string, key: NewApiKey, most: number): Promise<ApiKeyRecord | null>
  /** Oldest first. */
  listApiKeys(accountId: string): Promise<ApiKeyRecord[]>
  /** Without those that were revoked. */
  listOwnApiKeys(accountId: string): Promise<ApiKeyRecord[]>
  /** Changes the fields that are not undefined. @returns null if the key does not exist */
  changeApiKey(
    keyId: string,
    change: { disabled?: true; environmentName?: string | null },
  ): Promise<ApiKeyRecord | null>
  /** `last`: no other key of the account could make changes, so this one stays. */
  revokeOwnApiKey(accountId: string, keyId: string): Promise<'revoked' | 'last' | 'unknown'>
}

export interface FirstKeyState {
  /** The holder is refused. */
  readonly isRevoked: boolean
  /** How many earlier keys of the Secret were valid until now. */
  readonly replaced: number
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly plan: string
}

export interface Account extends NewAccount, AccountPlan {
  readonly suspended: boolean
  /** Default TTL of outputs after their command's end; null keeps them. */
  readonly defaultOutputTtlSeconds: number | null
}

export interface AuthenticatedKey {
  readonly account: Account
  readonly keyId: string
  readonly prefix: string | null
  readonly label: string | null
  readonly environmentName: string | null
  /** May read and validate only. */
  readonly readOnly: boolean
}

/** Store methods of the administration. */
export interface AccountAdministrationStore {
  /** @returns false, and creates nothing, if the name or the address is taken */
  createAccount(account: NewAccountRecord, key: NewApiKey | null): Promise<boolean>
  /** @param which name, id or address; null: all accounts, by name */
  listAccounts(which: string | null): Promise<AccountRecord[]>
  changeAccount(accountId: string, change: AccountChange): Promise<void>
  /** Commands and work on files that have not ended, or still hold a Job. */
  countUnfinished(accountId: string): Promise<number>
}

export interface NewAccountRecord extends NewAccount {
  /** Lower case. */
  readonly email: string | null
}

export interface AccountRecord extends Account {
  readonly email: string | null
  readonly createdAt: Date
  /** Time of the request to delete it; null: there was none. */
  readonly deletingAt: Date | null
  /** Number of valid keys. */
  readonly keys: number
}

/** Fields to change; undefined keeps the present value. */
export interface AccountChange {
  readonly plan?: string
  readonly suspended?: boolean
  readonly defaultOutputTtlSeconds?: number | null
  /** Figures to set in place of the plan's; undefined: the plan's figure again. */
  readonly limits?: { readonly [Name in LimitName]?: AccountLimits[Name] | undefined }
}

export interface NewApiKey {
  readonly keyId: string
  readonly sha256: Uint8Array
  readonly environmentName: string | null
  /** Name for display. */
  readonly label: string | null
  /** The first characters of the key. */
  readonly prefix?: string | null
  readonly readOnly?: boolean
  /** null: it does not expire. */
  readonly expiresInSeconds?: number | null
}

export interface ApiKeyRecord {
  readonly keyId: string
  readonly accountId: string
  readonly label: string | null
  /** null: not known yet. */
  readonly prefix: string | null
  readonly environmentName: string | null
  readonly readOnly: boolean
  /** The key was revoked. */
  readonly disabled: boolean
  readonly createdAt: Date
  /** Within a minute; null: not since this is recorded. */
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly expired: boolean
}

/** Registrations of accounts by their users, confirmed by mail. */
export interface RegistrationStore {
  /**
   * Queues a mail to this address. Adds nothing while a mail is still queued, or after `mailsPerDay`
   * requests within a day: third parties must not fill a mailbox, and the result reveals neither case.
   */
  addRegistration(registration: NewRegistration, mailsPerDay: number): Promise<void>
  /** Mails that are due, for this process alone during `leaseSeconds`. */
  claimActivationMails(claim: { limit: number; leaseSeconds: number }): Promise<ActivationMail[]>
  /** Adds the token of this mail; its validity begins. */
  addActivationToken(registrationId: string, sha256: Uint8Array): Promise<void>
  markMailSent(registrationId: string): Promise<void>
  /** `retrySeconds` null: no retry. */
  markMailFailed(registrationId: string, retrySeconds: number | null): Promise<void>
  /**
   * One transaction: uses up the token's registration, creates the account if the address has none,
   * and adds the key. One of two calls with the same token gets null; a retry with the same `keyId`
   * gets the same account.
   * @returns null for a token that is unknown, used or older than `tokenSeconds`
   */
  activate(activation: Activation): Promise<{ accountId: string; plan: string } | null>
  /** Deletes registrations, used or not. */
  forgetOldRegistrations(olderThanSeconds: number): Promise<void>
  /** Deletes buckets of clients that are full again. @returns how many, at most `limit` */
  forgetClientRates(limit: number): Promise<number>
  /**
   * Takes a token from the bucket of `client` and `call`, which holds `size` tokens and refills
   * within `fillSeconds`.
   * @returns null, or the seconds until a token is available
   */
  takeClientToken(rate: ClientRate): Promise<number | null>
}

export interface NewRegistration {
  readonly registrationId: string
  /** Lower case. */
  readonly email: string
  readonly name: string | null
}

export interface ActivationMail extends NewRegistration {
  /** Number of attempts, this one included. */
  readonly attempts: number
  readonly hasAccount: boolean
}

export interface Activation {
  readonly tokenSha256: Uint8Array
  readonly tokenSeconds: number
  readonly accountId: string
  readonly plan: string
  readonly keyId: string
  readonly keySha256: Uint8Array
  readonly keyPrefix: string | null
  /** Candidate names of a new account, of which the first free one is taken. */
  readonly namesFor: (registration: { email: string; name: string | null }) => readonly string[]
}

export interface ClientRate {
  readonly client: string
  readonly call: string
  readonly size: number
  readonly fillSeconds: number
}
