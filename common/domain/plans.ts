import { shape } from '../settings/settings.ts'

/** Limits of an account. `null` = no limit. 1 GB = 1,024 MB = 1,073,741,824 bytes. */
export interface Plan {
  /** MB of inputs and outputs per calendar month (UTC). */
  readonly processingMbytes: number | null
  /** MB stored at a time. */
  readonly storageMbytes: number | null
  readonly vcpuPerCommand: number
  /** vCPUs of all running commands of the account together. */
  readonly vcpuTotal: number | null
  /** Part of the cluster beside other accounts: an account of weight 4 gets four times that of weight 1. */
  readonly weight: number
  /** Jobs of commands at a time. */
  readonly maxJobs: number | null
  /** Jobs that store or analyse files at a time; they use none of `vcpuTotal`. */
  readonly fileJobs: number | null
  readonly maxRunSeconds: number
  readonly submissionsPerMinute: number | null
  readonly readsPerMinute: number | null
  /** Most commands that wait; a chain counts once. */
  readonly maxQueued: number | null
  /** Most stored files that wait. */
  readonly maxQueuedFiles: number | null
  /** Open streams of the account at one API server. */
  readonly streams: number | null
  /** Largest single input or output, MB. */
  readonly maxFileMbytes: number | null
  /** Working disk of one command, MB; null and larger ones: that of the runner. */
  readonly scratchMbytes: number | null
  readonly chained: boolean
  readonly uploads: boolean
  readonly private: boolean
  readonly webhooks: boolean
  /** Commands may be given to warm runners. */
  readonly warm: boolean
  /** Profile of its runners; null: that of all others. */
  readonly profile: string | null
  readonly retention: Retention
}

/** Days after which data is deleted, from the submission on; null keeps it. */
export interface Retention {
  /** Records of commands, and of files that failed. A record stays while a file of it is listed. */
  readonly recordsDays: number | null
  /** The request, its URLs and its command text; the record shows `original_request: null` then. */
  readonly originalsDays: number | null
  /** FFmpeg's log. */
  readonly logsDays: number | null
  /** Longest time that a file is kept, from its storage on. */
  readonly filesDays: number | null
}

export type Plans = Readonly<Record<string, Plan>>

const limit = { type: ['number', 'null'], minimum: 0, default: null } as const

const queueLimit = { type: ['integer', 'null'], minimum: 1, default: null } as const

const days = { type: ['integer', 'null'], minimum: 1, maximum: 36_500, default: null } as const

export const planSchema = {
  type: 'object',
  additionalProperties: false,
  // Helm drops every value that is null, so an omitted limit means unlimited.
  required: ['vcpuPerCommand', 'maxRunSeconds', 'chained', 'uploads', 'private', 'webhooks'],
  properties: {
    processingMbytes: limit,
    storageMbytes: limit,
    vcpuPerCommand: { type: 'integer', minimum: 1 },
    vcpuTotal: { type: ['integer', 'null'], minimum: 1, default: null },
    weight: { type: 'number', exclusiveMinimum: 0, default: 1 },
    maxJobs: { type: ['integer', 'null'], minimum: 1, default: null },
    fileJobs: { type: ['integer', 'null'], minimum: 1, default: null },
    maxRunSeconds: { type: 'number', exclusiveMinimum: 0 },
    submissionsPerMinute: limit,
    readsPerMinute: limit,
    maxQueued: queueLimit,
    maxQueuedFiles: queueLimit,
    streams: { ...limit, type: ['integer', 'null'] },
    maxFileMbytes: limit,
    scratchMbytes: { type: ['integer', 'null'], minimum: 64, default: null },
    profile: { type: ['string', 'null'], default: null },
    chained: { type: 'boolean' },
    uploads: { type: 'boolean' },
    private: { type: 'boolean' },
    webhooks: { type: 'boolean' },
    warm: { type: 'boolean', default: true },
    retention: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { recordsDays: days, originalsDays: days, logsDays: days, filesDays: days },
    },
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

/** Figures of its plan that an account can have of its own, set by the administration. */
export const limitNames = [
  'processingMbytes',
  'storageMbytes',
  'vcpuPerCommand',
  'vcpuTotal',
  'weight',
  'maxJobs',
  'fileJobs',
  'maxRunSeconds',
  'submissionsPerMinute',
  'readsPerMinute',
  'maxQueued',
  'maxQueuedFiles',
  'streams',
  'maxFileMbytes',
] as const satisfies readonly (keyof Plan)[]
export type LimitName = (typeof limitNames)[number]

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
