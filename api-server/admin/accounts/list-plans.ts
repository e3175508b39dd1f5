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
    const rows = keys.flatMap((key) =>
      rowsOf(
        key,
        names.map((name) => plans[name]?.[key]),
      ),
    )
    return Promise.resolve({ text: table(['FIGURE', ...names], rows), json: plans })
  },
}

type Figure = string | number | boolean | null | undefined

/** A figure of several, such as `retention`, has a row for each, named as in the chart's values. */
function rowsOf(name: string, values: readonly (Plan[keyof Plan] | undefined)[]): string[][] {
  const groups = values.map(
    (value) =>
      new Map<string, Figure>(typeof value === 'object' ? Object.entries(value ?? {}) : []),
  )
  const keys = [...new Set(groups.flatMap((group) => [...group.keys()]))]
  if (keys.length === 0) return [[name, ...values.map(textOf)]]
  return keys.map((key) => [`${name}.${key}`, ...groups.map((group) => textOf(group.get(key)))])
}

function textOf(value: Figure | object): string {
  if (value === null || value === undefined || typeof value === 'object') return 'none'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
