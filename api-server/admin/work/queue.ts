import { findAccount } from '../accounts/account-records.ts'
import { table } from '../command/table.ts'
import type { AdminCommand } from '../command/admin-command.ts'
import type { AccountInPass, WaitingCommand } from '../../../common/store/admission.ts'

/** Commands of an account and lane that are looked at; the oldest tells how long the queue is. */
const heads = 1_000

export const showQueue: AdminCommand = {
  name: 'queue',
  summary: 'shows what runs and waits in the cluster, by account, and what it waits for',
  positionals: [],
  readsOnly: true,
  options: { account: { value: 'ACCOUNT', summary: 'only this one' } },
  async run(deps, given) {
    const which = given.option('account')
    const only = which === null ? null : (await findAccount(deps, which)).accountId
    const found = await deps.store.findWaiting({ heads })
    const accounts = found
      .filter(({ accountId }) => only === null || accountId === only)
      .toSorted((a, b) => oldestSeconds(b.waiting) - oldestSeconds(a.waiting))
    const rows = accounts.map((account) => [
      account.name,
      account.plan,
      String(account.running.length),
      String(vcpusOf(account.running)),
      `${account.waiting.length}${account.waiting.length >= heads ? '+' : ''}`,
      `${Math.round(oldestSeconds(account.waiting))} s`,
      reasonOf(account) ?? '-',
    ])
    const header = ['ACCOUNT', 'PLAN', 'RUNNING', 'VCPUS', 'WAITING', 'OLDEST', 'WAITS FOR']
    return {
      text: rows.length === 0 ? 'Nothing runs or waits.' : table(header, rows),
      json: accounts.map((account) => ({
        account_id: account.accountId,
        account: account.name,
        plan: account.plan,
        running: account.running.length,
        running_vcpus: vcpusOf(account.running),
        waiting: account.waiting.length,
        waiting_oldest_seconds: oldestSeconds(account.waiting),
        queue_reason: reasonOf(account),
      })),
    }
  },
}

function oldestSeconds(waiting: readonly WaitingCommand[]): number {
  return Math.max(0, ...waiting.map(({ waitedSeconds }) => waitedSeconds))
}

function vcpusOf(running: AccountInPass['running']): number {
  return running.reduce((sum, { vcpuCount }) => sum + vcpuCount, 0)
}

function reasonOf({ waiting, pausedWhy, reason }: AccountInPass): string | null {
  if (waiting.length === 0) return null
  return pausedWhy === null ? reason : 'PAUSED'
}
