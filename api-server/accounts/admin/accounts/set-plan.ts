import { change } from './change.ts'
import { knownPlan } from '../known-plan.ts'
import type { AdminCommand } from '../admin-command.ts'

export const setPlan: AdminCommand = {
  name: 'accounts set-plan',
  summary: 'puts an account on another plan, for what it submits within seconds from now on',
  positionals: ['ACCOUNT', 'PLAN'],
  options: {},
  run: async (deps, given) =>
    change(deps, given, { plan: knownPlan(deps, given.positional('PLAN')) }),
}
