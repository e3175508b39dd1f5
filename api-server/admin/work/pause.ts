import { timestamp } from '../../http/format.ts'
import { pausable } from '../../../common/store/administration/pauses.ts'
import { findAccount } from '../accounts/account-records.ts'
import { table, timeCell } from '../command/table.ts'
import type { Pausable, PauseTarget } from '../../../common/store/administration/pauses.ts'
import type { AdminCommand, AdminDeps, AdminResult, Given } from '../command/admin-command.ts'

const stops: Readonly<Record<Pausable, string>> = {
  submissions: 'answers 503 to new commands and files within seconds; what was accepted goes on',
  dispatch: 'creates no custom resources of accepted commands, which wait in the database',
  admission: 'starts no Jobs; what runs ends',
  webhooks: 'sends no webhooks; they are kept and sent later',
}
const accountStops = 'starts nothing more of the queue of one account; what runs ends'

const options = {
  why: {
    value: 'TEXT',
    summary: 'shown to the owners of commands that wait; default: maintenance',
  },
}

export const pauseCommands: readonly AdminCommand[] = [
  ...pausable.map((what): AdminCommand => ({
    name: `pause ${what}`,
    summary: stops[what],
    positionals: [],
    options,
    run: (deps, given) => pause(deps, { what }, given),
  })),
  {
    name: 'pause account',
    summary: accountStops,
    positionals: ['ACCOUNT'],
    options,
    run: async (deps, given) => pause(deps, await accountTarget(deps, given), given),
  },
  ...pausable.map((what): AdminCommand => ({
    name: `resume ${what}`,
    summary: `ends 'pause ${what}'`,
    positionals: [],
    options: {},
    run: (deps) => resume(deps, { what }),
  })),
  {
    name: 'resume account',
    summary: "ends 'pause account'",
    positionals: ['ACCOUNT'],
    options: {},
    run: async (deps, given) => resume(deps, await accountTarget(deps, given)),
  },
  {
    name: 'pauses',
    summary: 'shows what is paused, since when and why',
    positionals: [],
    options: {},
    readsOnly: true,
    run: (deps) => shown(deps),
  },
]

async function accountTarget(deps: AdminDeps, given: Given): Promise<PauseTarget> {
  const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
  return { what: 'account', accountId }
}

async function pause(deps: AdminDeps, target: PauseTarget, given: Given): Promise<AdminResult> {
  await deps.store.pause(target, given.option('why') ?? 'maintenance')
  return shown(deps)
}

async function resume(deps: AdminDeps, target: PauseTarget): Promise<AdminResult> {
  const ended = await deps.store.resume(target)
  const { text, json } = await shown(deps)
  return { text: ended ? text : `It was not paused.\n${text}`, json }
}

async function shown({ store, effects }: AdminDeps): Promise<AdminResult> {
  const pauses = await store.readPauses()
  const named = await Promise.all(
    pauses.map(async (each) => {
      const [account] = each.accountId === null ? [] : await store.listAccounts(each.accountId)
      return { ...each, account: account?.name ?? null }
    }),
  )
  const rows = named.map(({ what, account, why, pausedAt }) => [
    account === null ? what : `account ${account}`,
    timeCell(pausedAt, effects.clock.wall()),
    why,
  ])
  return {
    text: rows.length === 0 ? 'Nothing is paused.' : table(['PAUSED', 'SINCE', 'WHY'], rows),
    json: named.map(({ what, accountId, account, why, pausedAt }) => ({
      what,
      account_id: accountId,
      account,
      why,
      paused_at: timestamp(pausedAt),
    })),
  }
}
