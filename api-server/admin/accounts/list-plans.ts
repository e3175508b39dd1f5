import { planSchema } from '../../../common/domain/plans.ts'
import { table } from '../command/table.ts'
import type { Plan } from '../../../common/domain/plans.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const listPlans: AdminCommand = {
  name: 'plans',
  summary: 'shows the figures and features of each plan',
  positionals: [],
  options: {},
  readsOnly: true,
  needsDatabase: false,
  run({ plans }) {
    const names = Object.keys(plans)
    const keys = Object.keys(planSchema.properties) as (keyof Plan)[]
    const rows = keys.map((key) => [key, ...names.map((name) => textOf(plans[name]?.[key]))])
    return Promise.resolve({ text: table(['FIGURE', ...names], rows), json: plans })
  },
}

function textOf(value: Plan[keyof Plan] | undefined): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
