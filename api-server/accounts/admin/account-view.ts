import { timestamp } from '../../http/timestamp.ts'
import { table } from './table.ts'
import type { AccountRecord } from '../../../common/store/accounts.ts'

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
  }
}

export function accountTable(accounts: readonly AccountRecord[]): string {
  const header = ['NAME', 'PLAN', 'STATE', 'KEYS', 'OUTPUT TTL', 'EMAIL', 'CREATED', 'ID']
  const rows = accounts.map((account) => [
    account.name,
    account.plan,
    account.suspended ? 'suspended' : 'active',
    String(account.keys),
    account.defaultOutputTtlSeconds === null ? 'none' : `${account.defaultOutputTtlSeconds} s`,
    account.email ?? '-',
    timestamp(account.createdAt),
    account.accountId,
  ])
  return table(header, rows)
}
