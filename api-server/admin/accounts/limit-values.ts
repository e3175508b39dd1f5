import { largestVcpus, limitNames, planSchema } from '../../../common/domain/plans.ts'
import { AdminError } from '../command/admin-command.ts'
import type { LimitName, Plans } from '../../../common/domain/plans.ts'
import type { AccountChange } from '../../../common/store/accounts.ts'

type Limits = NonNullable<AccountChange['limits']>

interface Rule {
  readonly type: string | readonly string[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
}

/**
 * @param texts `maxQueued=50`; `none`: without a limit, `plan`: the plan's figure again
 * @throws AdminError
 */
export function limitsIn(texts: readonly string[], plans: Plans): Limits {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
      if (!isLimitName(name)) throw unknownFigure(text)
      return [name, value === 'plan' ? undefined : figureIn(name, value, plans)]
    }),
  )
}

function isLimitName(name: string): name is LimitName {
  return limitNames.some((known) => known === name)
}

function unknownFigure(text: string): AdminError {
  const names = limitNames.join(', ')
  return new AdminError(`'${text}' must be FIGURE=VALUE; the figures are ${names}`, 2)
}

function figureIn(name: LimitName, text: string, plans: Plans): number | null {
  const rule: Rule = planSchema.properties[name]
  if (text === 'none' && rule.type.includes('null')) return null
  const value = text.trim() === '' ? NaN : Number(text)
  if (!isAllowed(value, rule)) {
    throw new AdminError(`${name} must be ${wordsOf(rule)}; got '${text}'`, 2)
  }
  const largest = largestVcpus(plans)
  // The servers size what they prepare for commands by the plans alone.
  if (name === 'vcpuPerCommand' && value > largest) {
    throw new AdminError(
      `vcpuPerCommand must be at most ${largest}, the largest of the plans; got '${text}'; raise that of a plan first`,
      2,
    )
  }
  return value
}

function isAllowed(value: number, { type, minimum, exclusiveMinimum }: Rule): boolean {
  return (
    Number.isFinite(value) &&
    (!type.includes('integer') || Number.isSafeInteger(value)) &&
    value >= (minimum ?? -Infinity) &&
    value > (exclusiveMinimum ?? -Infinity)
  )
}

function wordsOf({ type, minimum, exclusiveMinimum }: Rule): string {
  const kind = type.includes('integer') ? 'an integer' : 'a number'
  const range = exclusiveMinimum === undefined ? `from ${minimum}` : `above ${exclusiveMinimum}`
  const none = type.includes('null') ? "'none' for no limit, " : ''
  return `${kind} ${range}, ${none}or 'plan' for the plan's figure`
}
