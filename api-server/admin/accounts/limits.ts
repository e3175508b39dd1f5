import { limitNames, planOf } from '../../../common/domain/plans.ts'
import { table } from '../command/table.ts'
import { findAccount } from './account-records.ts'
import { limitsIn } from './limit-values.ts'
import type { AccountRecord } from '../../../common/store/accounts.ts'
import type { AdminCommand, AdminDeps, AdminResult } from '../command/admin-command.ts'

export const showLimits: AdminCommand = {
  name: 'limits show',
  summary: 'shows the figures of an account, and which of them are its own',
  positionals: ['ACCOUNT'],
  options: {},
  readsOnly: true,
  run: async (deps, given) => shown(deps, await findAccount(deps, given.positional('ACCOUNT'))),
}

export const setLimits: AdminCommand = {
  name: 'limits set',
  summary:
    "gives an account figures in place of its plan's, such as maxQueued=50; VALUE none: no limit, plan: the plan's",
  positionals: ['ACCOUNT', 'FIGURE=VALUE...'],
  options: {},
  async run(deps, given) {
    const limits = limitsIn(given.rest('FIGURE=VALUE...'), deps.plans)
    const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
    await deps.store.changeAccount(accountId, { limits })
    return shown(deps, await findAccount(deps, accountId))
  },
}

function shown({ plans }: AdminDeps, account: AccountRecord): AdminResult {
  const own = planOf(plans, account)
  const ofPlan = planOf(plans, { plan: account.plan, limits: {} })
  const rows = limitNames.map((name) => [
    name,
    textOf(own[name]),
    textOf(ofPlan[name]),
    Object.hasOwn(account.limits, name) ? 'account' : 'plan',
  ])
  return {
    text: table(['FIGURE', 'VALUE', `PLAN ${account.plan}`, 'FROM'], rows),
    json: {
      account_id: account.accountId,
      account: account.name,
      plan: account.plan,
      figures: Object.fromEntries(limitNames.map((name) => [name, own[name]])),
      own: account.limits,
    },
  }
}

function textOf(figure: number | null): string {
  return figure === null ? 'none' : String(figure)
}
