import { AdminError } from '../command/admin-command.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { table, timeCell } from '../command/table.ts'
import type { AdminDeps } from '../command/admin-command.ts'
import type { AccountRecord } from '../../../common/store/accounts.ts'

/** @param which name, id or address @throws AdminError */
export async function findAccount({ store }: AdminDeps, which: string): Promise<AccountRecord> {
  const found = await store.listAccounts(which)
  const [account] = found
  if (account === undefined) {
    throw new AdminError(`account '${which}' does not exist: 'accounts list' shows all accounts`)
  }
  if (found.length > 1) throw new AdminError(`'${which}' fits several accounts: give the id`)
  return account
}

/** An account on an unknown plan would get the smallest plan without an error. @throws AdminError */
export function knownPlan({ plans }: AdminDeps, plan: string): string {
  if (Object.hasOwn(plans, plan)) return plan
  const names = Object.keys(plans).join(', ')
  throw new AdminError(`plan '${plan}' does not exist: the plans are ${names}`)
}

export function accountJson(account: AccountRecord): object {
  return {
    account_id: account.accountId,
    name: account.name,
    plan: account.plan,
    email: account.email,
    suspended: account.suspended,
    default_output_ttl_seconds: account.defaultOutputTtlSeconds,
    keys: account.keys,
    created_at: timestamp(account.createdAt),
    deleting_at: timestampOrNull(account.deletingAt),
  }
}

export function accountTable(accounts: readonly AccountRecord[], now: Date): string {
  const header = ['NAME', 'PLAN', 'STATE', 'KEYS', 'OUTPUT TTL', 'EMAIL', 'CREATED', 'ID']
  const rows = accounts.map((account) => [
    account.name,
    account.plan,
    account.deletingAt !== null ? 'deleting' : account.suspended ? 'suspended' : 'active',
    String(account.keys),
    account.defaultOutputTtlSeconds === null ? 'none' : `${account.defaultOutputTtlSeconds} s`,
    account.email ?? '-',
    timeCell(account.createdAt, now),
    account.accountId,
  ])
  return table(header, rows)
}
