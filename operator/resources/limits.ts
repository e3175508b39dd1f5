import type { RunnableSpec } from './spec-hash.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { RunnerSettings } from './runner-settings.ts'

/** Limits of one command's runner that Kubernetes enforces. */
export interface RunnerLimits {
  readonly clocks: Clocks
  /** Of the `ffmpeg` container, like the memory. */
  readonly cpus: number
  readonly memoryMbytes: number
  readonly scratchMbytes: number
}

/** In whole seconds. */
export interface Clocks {
  readonly startAllowanceSeconds: number
  readonly podDeadlineSeconds: number
  readonly jobDeadlineSeconds: number
}

export type LimitSettings = Pick<
  RunnerSettings,
  | 'maxAttempts'
  | 'planScratchMbytes'
  | 'memoryPerVcpuMbytes'
  | 'scratchMbytes'
  | 'startAllowanceSeconds'
  | 'transferAllowanceSeconds'
>

/**
 * The run cap itself is the supervisor's and exact. The pod's deadline backs it up: the kubelet
 * starts it when a node takes the pod. The Job's deadline runs from the Job's first sync across all
 * replacements, so one attempt's sum would kill the second attempt.
 */
export function limitsFor(
  {
    source,
    maxRunSeconds,
    vcpuCount,
    accountPlan,
  }: Omit<RunnableSpec, 'isPrivate'> & Pick<ReconcileRow, 'accountPlan'>,
  settings: LimitSettings,
): RunnerLimits {
  const { maxAttempts, startAllowanceSeconds, transferAllowanceSeconds } = settings
  // For a stored file the run time is the time that probing may take.
  const runSeconds = Math.max(1, source.commands.length) * (maxRunSeconds + killGraceSeconds)
  const podDeadlineSeconds = Math.min(
    longestSeconds,
    Math.ceil(runSeconds + transferAllowanceSeconds),
  )
  const jobDeadlineSeconds = maxAttempts * (podDeadlineSeconds + startAllowanceSeconds)
  // A stored file costs its account no vCPUs, but ffprobe still runs on one.
  const cpus = Math.max(1, vcpuCount)
  return {
    clocks: { startAllowanceSeconds, podDeadlineSeconds, jobDeadlineSeconds },
    cpus,
    memoryMbytes: cpus * settings.memoryPerVcpuMbytes,
    scratchMbytes: scratchMbytesOf(settings, accountPlan),
  }
}

/**
 * Working disk of a command of this plan. The setting of all runners is the most that nodes have for
 * one. An account may name a plan that a later configuration no longer has; it gets the smallest.
 */
export function scratchMbytesOf(
  { planScratchMbytes, scratchMbytes }: Pick<LimitSettings, 'planScratchMbytes' | 'scratchMbytes'>,
  plan: string,
): number {
  const own = planScratchMbytes[plan] ?? Math.min(...Object.values(planScratchMbytes))
  return Math.min(own, scratchMbytes)
}

/** Kubernetes refuses a longer deadline of a pod. */
const longestSeconds = 2_147_483_647

/** From the supervisor's TERM to its KILL, so that the pod's deadline never wins over the run cap. */
const killGraceSeconds = 5
