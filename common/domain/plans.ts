import { shape } from '../runtime/settings.ts'

/** What an account may use. `null` = no limit. 1 GB = 1,024 MB = 1,073,741,824 bytes. */
export interface Plan {
  /** MB of inputs and outputs per calendar month (UTC). */
  readonly processingMbytes: number | null
  /** MB stored at a time. */
  readonly storageMbytes: number | null
  readonly vcpuPerCommand: number
  /** vCPUs of all running commands of the account together. */
  readonly vcpuTotal: number | null
  readonly maxRunSeconds: number
  readonly submissionsPerMinute: number | null
  readonly readsPerMinute: number | null
  /** Open streams of the account at one API server. */
  readonly streams: number | null
  /** Largest single input or output, MB. */
  readonly maxFileMbytes: number | null
  readonly chained: boolean
  readonly uploads: boolean
  readonly private: boolean
  readonly webhooks: boolean
}

export type Plans = Readonly<Record<string, Plan>>

const limit = { type: ['number', 'null'], minimum: 0, default: null } as const

const planSchema = {
  type: 'object',
  additionalProperties: false,
  // Helm drops every value that is null, so an omitted limit means unlimited.
  required: ['vcpuPerCommand', 'maxRunSeconds', 'chained', 'uploads', 'private', 'webhooks'],
  properties: {
    processingMbytes: limit,
    storageMbytes: limit,
    vcpuPerCommand: { type: 'integer', minimum: 1 },
    vcpuTotal: { type: ['integer', 'null'], minimum: 1, default: null },
    maxRunSeconds: { type: 'number', exclusiveMinimum: 0 },
    submissionsPerMinute: limit,
    readsPerMinute: limit,
    streams: { ...limit, type: ['integer', 'null'] },
    maxFileMbytes: limit,
    chained: { type: 'boolean' },
    uploads: { type: 'boolean' },
    private: { type: 'boolean' },
    webhooks: { type: 'boolean' },
  },
} as const

/** Plan name to plan, as the chart renders it into both servers' environment. */
export const plansVariable = {
  type: 'object',
  shape: shape<Plans>(),
  minProperties: 1,
  additionalProperties: planSchema,
  description: 'The plans of this installation, by name.',
} as const

/**
 * The account's plan. An account may name a plan that a later configuration no longer has; it must
 * not fall back to more than it paid for, so it gets the smallest of what is configured.
 */
export function planOf(plans: Plans, name: string): Plan {
  const plan = plans[name]
  if (plan !== undefined) return plan
  const smallest = Object.values(plans).toSorted((a, b) => a.vcpuPerCommand - b.vcpuPerCommand)[0]
  if (smallest === undefined) throw new Error('no plan is configured')
  return smallest
}

/** Requests above the plan's maxima are lowered without an error, defaults included. */
export interface EffectiveLimits {
  readonly vcpuCount: number
  readonly maxRunSeconds: number
}

export function clampToPlan(plan: Plan, requested: EffectiveLimits): EffectiveLimits {
  return {
    // A command larger than the account's total could never be admitted and would wait
    // indefinitely.
    vcpuCount: Math.min(requested.vcpuCount, plan.vcpuPerCommand, plan.vcpuTotal ?? Infinity),
    maxRunSeconds: Math.min(requested.maxRunSeconds, plan.maxRunSeconds),
  }
}

export const bytesPerMbyte = 1_048_576
