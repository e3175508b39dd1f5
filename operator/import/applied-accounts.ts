/** Accounts that may be named in objects that this service has not made. */
export interface AppliedAccounts {
  /** Account that `spec.account: default` means. */
  readonly defaultAccount: string
  /** Accounts of all namespaces without a binding; `*` allows every account. */
  readonly allowed: readonly string[]
  /** Keys are namespaces, values the accounts that the chart's ValidatingAdmissionPolicy lets users name there. */
  readonly bindings: ReadonlyMap<string, readonly string[]>
}

/** Account that the object means. */
export function meantAccount({ defaultAccount }: AppliedAccounts, account: string): string {
  return account === 'default' ? defaultAccount : account
}

/**
 * RBAC cannot see the account of an object. Who may apply any account may read, by a command of it, the private files
 * of every account, end its commands and use its quota.
 * @returns one sentence, or null: the object may name it
 */
export function accountProblem(
  accounts: AppliedAccounts,
  { namespace, account }: { readonly namespace: string; readonly account: string },
): string | null {
  const names = accounts.bindings.get(namespace) ?? accounts.allowed
  const allowed = names.map((name) => meantAccount(accounts, name))
  if (allowed.includes('*') || allowed.includes(meantAccount(accounts, account))) return null
  const remedy =
    allowed.length === 0 ? 'submit it by the REST API' : `use one of ${allowed.join(', ')}`
  return (
    `spec.account '${account}' may not be named by objects that are applied in namespace ${namespace}: ${remedy}; ` +
    'the administrator allows others by operator.appliedAccounts or accountPolicy.bindings of the chart'
  )
}
