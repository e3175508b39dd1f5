import schema from './plans.schema.json' with { type: 'json' }
import type { Plan } from './plan.ts'

export type { Plan, Retention } from './plan.ts'

export type Plans = Readonly<Record<string, Plan>>

export const { $schema: _, ...planSchema } = schema

/** Figures of its plan that an account can have of its own, set by the administration. */
export type LimitName = Exclude<
  { [Name in keyof Plan]: Plan[Name] extends number | null ? Name : never }[keyof Plan],
  'scratchMbytes'
>

/** Numbers of the schema; the working disk is the runner's, not an account's. */
export const limitNames = Object.entries(planSchema.properties)
  .filter(([, { type }]) => ['number', 'integer'].some((kind) => type.includes(kind)))
  .map(([name]) => name as LimitName | 'scratchMbytes')
  .filter((name) => name !== 'scratchMbytes')

/** Figures of an account in place of those of its plan; null as in a plan: without a limit. */
export type AccountLimits = { readonly [Name in LimitName]?: Plan[Name] }

/** Facts of an account that decide its limits. */
export interface AccountPlan {
  /** Name of a plan. */
  readonly plan: string
  readonly limits: AccountLimits
}

/** The plan of the account with the figures that are its own. */
export function planOf(plans: Plans, { plan, limits }: AccountPlan): Plan {
  const named = configuredPlan(plans, plan)
  return Object.keys(limits).length === 0 ? named : { ...named, ...limits }
}

/**
 * Limits that all accounts of a plan share. An account may name a plan that a later configuration no longer has; it must
 * not fall back to more than it paid for, so it gets the smallest of what is configured.
 */
export function namedPlan(plans: Plans, name: string): Omit<Plan, LimitName> {
  return configuredPlan(plans, name)
}

function configuredPlan(plans: Plans, name: string): Plan {
  const plan = plans[name]
  if (plan !== undefined) return plan
  const smallest = Object.values(plans).toSorted((a, b) => a.vcpuPerCommand - b.vcpuPerCommand)[0]
  if (smallest === undefined) throw new Error('no plan is configured')
  return smallest
}

/** vCPUs of the largest command that any plan allows. */
export function largestVcpus(plans: Plans): number {
  return Math.max(...Object.values(plans).map(({ vcpuPerCommand }) => vcpuPerCommand))
}

/** Requests above the plan's maxima are lowered without an error. */
export interface EffectiveLimits {
  readonly vcpuCount: number
  readonly maxRunSeconds: number
}

/** Limits of a command that names none. */
export function defaultLimits(plan: Plan): EffectiveLimits {
  return clampToPlan(plan, { vcpuCount: 8, maxRunSeconds: 300 })
}

export function clampToPlan(plan: Plan, requested: EffectiveLimits): EffectiveLimits {
  return {
    // A command larger than the account's total could never be admitted and would wait
    // indefinitely.
    vcpuCount: Math.min(requested.vcpuCount, plan.vcpuPerCommand, plan.vcpuTotal ?? Infinity),
    maxRunSeconds: Math.min(requested.maxRunSeconds, plan.maxRunSeconds),
  }
}

const secondsPerDay = 86_400
/** Largest value of the column. */
const longestTtlSeconds = 2_147_483_647

/** TTL in seconds of outputs after their command's end, at most what the plan keeps files; null keeps them. */
export function clampTtl(
  { retention: { filesDays } }: Pick<Plan, 'retention'>,
  requested: number | null,
): number | null {
  if (filesDays === null) return requested
  return Math.min(requested ?? Infinity, filesDays * secondsPerDay, longestTtlSeconds)
}

export const bytesPerMbyte = 1_048_576
