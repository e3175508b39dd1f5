import { spanWords } from '../../../common/words/span-words.ts'
import { findAccount } from '../accounts/account-records.ts'
import { table } from '../command/table.ts'
import type { AdminCommand, AdminDeps } from '../command/admin-command.ts'
import type { AccountInPass } from '../../../common/store/admission.ts'

/** Commands of an account and lane that are looked at; the oldest tells how long the queue is. */
const heads = 1_000

export const showQueue: AdminCommand = {
  name: 'queue',
  summary: 'shows what runs and waits, by account, and what it waits for',
  positionals: [],
  readsOnly: true,
  options: { account: { value: 'ACCOUNT', summary: 'only this one' } },
  async run(deps, given) {
    const which = given.option('account')
    const only = which === null ? null : (await findAccount(deps, which)).accountId
    const accounts = (await readQueues(deps.store))
      .filter(({ accountId }) => only === null || accountId === only)
      .toSorted((a, b) => b.oldestSeconds - a.oldestSeconds)
    const rows = accounts.map((account) => [
      account.name,
      account.plan,
      String(account.running),
      String(account.runningVcpus),
      `${account.waiting}${account.waiting >= heads ? '+' : ''}`,
      account.waiting === 0 ? '-' : spanWords(account.oldestSeconds * 1_000),
      account.reason ?? '-',
    ])
    const header = ['ACCOUNT', 'PLAN', 'RUNNING', 'VCPUS', 'WAITING', 'OLDEST', 'WAITS FOR']
    return {
      text: rows.length === 0 ? 'Nothing runs or waits.' : table(header, rows),
      json: accounts.map((account) => ({
        account_id: account.accountId,
        account: account.name,
        plan: account.plan,
        running: account.running,
        running_vcpus: account.runningVcpus,
        waiting: account.waiting,
        waiting_oldest_seconds: account.oldestSeconds,
        queue_reason: account.reason,
      })),
    }
  },
}

interface AccountQueue {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly running: number
  readonly runningVcpus: number
  readonly waiting: number
  readonly oldestSeconds: number
  readonly reason: string | null
}

/** Waiting commands with a custom resource and without: a pause of an account keeps its commands from getting one. */
async function readQueues(store: AdminDeps['store']): Promise<AccountQueue[]> {
  const [inCluster, undispatched] = await Promise.all([
    store.findWaiting({ heads }),
    store.readUndispatched(),
  ])
  const queues = new Map(inCluster.map((account) => [account.accountId, queueOf(account)]))
  for (const { accountId, name, plan, count, oldestSeconds, isPaused } of undispatched) {
    const known = queues.get(accountId)
    queues.set(accountId, {
      ...(known ?? { accountId, name, plan, running: 0, runningVcpus: 0 }),
      waiting: (known?.waiting ?? 0) + count,
      oldestSeconds: Math.max(known?.oldestSeconds ?? 0, oldestSeconds),
      reason: isPaused ? 'PAUSED' : (known?.reason ?? 'DISPATCH'),
    })
  }
  return [...queues.values()]
}

function queueOf({ accountId, name, plan, running, waiting, ...why }: AccountInPass): AccountQueue {
  const reason = why.pausedWhy === null ? why.reason : 'PAUSED'
  return {
    accountId,
    name,
    plan,
    running: running.length,
    runningVcpus: running.reduce((sum, { vcpuCount }) => sum + vcpuCount, 0),
    waiting: waiting.length,
    oldestSeconds: Math.max(0, ...waiting.map(({ waitedSeconds }) => waitedSeconds)),
    reason: waiting.length === 0 ? null : reason,
  }
}
