import { vcpusOf } from '../../common/domain/vcpus.ts'
import type { RunnableSpec } from './spec-hash.ts'
import { profileOf } from './profiles.ts'
import type { ProfiledWork } from './profiles.ts'
import type { RunnerSettings } from './runner-settings.ts'

/** Limits of one command's runner that Kubernetes enforces. */
export interface RunnerLimits {
  readonly clocks: Clocks
  /** CPU limit of the `ffmpeg` container; the memory limit is of the same container. */
  readonly cpus: number
  readonly memoryMbytes: number
  readonly scratchMbytes: number
}

/** Whole seconds. */
export interface Clocks {
  readonly startAllowanceSeconds: number
  readonly podDeadlineSeconds: number
  readonly jobDeadlineSeconds: number
}

export type LimitSettings = Pick<
  RunnerSettings,
  | 'maxAttempts'
  | 'planScratchMbytes'
  | 'planProfiles'
  | 'profiles'
  | 'memoryPerVcpuMbytes'
  | 'scratchMbytes'
  | 'startAllowanceSeconds'
  | 'placeAllowanceSeconds'
  | 'transferAllowanceSeconds'
>

/**
 * The run cap itself is the supervisor's and exact. The pod's deadline backs it up: the kubelet
 * starts it when a node takes the pod. The Job's deadline runs from the Job's first sync across all
 * replacements, so one attempt's sum would kill the second attempt. Each attempt may first wait for a node, which must not
 * end it.
 */
export function limitsFor(
  work: Omit<RunnableSpec, 'isPrivate'> & ProfiledWork,
  settings: LimitSettings,
): RunnerLimits {
  const { source, maxRunSeconds } = work
  const { maxAttempts, startAllowanceSeconds, transferAllowanceSeconds } = settings
  const { placeAllowanceSeconds } = settings
  // The run time of a stored file is the time that probing may take.
  const runSeconds = Math.max(1, source.commands.length) * (maxRunSeconds + killGraceSeconds)
  const podDeadlineSeconds = Math.min(
    longestSeconds,
    Math.ceil(runSeconds + transferAllowanceSeconds),
  )
  const attemptSeconds =
    podDeadlineSeconds + startAllowanceSeconds + (placeAllowanceSeconds ?? longestSeconds)
  const jobDeadlineSeconds = Math.min(longestSeconds, maxAttempts * attemptSeconds)
  const cpus = vcpusOf(work)
  const { memoryPerVcpuMbytes = settings.memoryPerVcpuMbytes } = profileOf(work, settings)
  return {
    clocks: { startAllowanceSeconds, podDeadlineSeconds, jobDeadlineSeconds },
    cpus,
    memoryMbytes: cpus * memoryPerVcpuMbytes,
    scratchMbytes: scratchMbytesOf(settings, work),
  }
}

/**
 * Working disk of a command of this plan. The setting of its profile, or that of all runners, is the most that nodes
 * have for one.
 */
export function scratchMbytesOf(settings: ScratchSettings, work: ProfiledWork): number {
  const { scratchMbytes = settings.scratchMbytes } = profileOf(work, settings)
  return Math.min(planScratchMbytesOf(settings, work.accountPlan), scratchMbytes)
}

type ScratchSettings = Pick<
  LimitSettings,
  'planScratchMbytes' | 'planProfiles' | 'profiles' | 'scratchMbytes'
>

/** An account may name a plan that a later configuration no longer has; it gets the smallest. */
function planScratchMbytesOf({ planScratchMbytes }: ScratchSettings, plan: string): number {
  const own = planScratchMbytes[plan]
  const candidates = own === undefined ? Object.values(planScratchMbytes) : [own]
  return Math.min(...candidates.map((mbytes) => mbytes ?? Infinity))
}

/**
 * Largest picture that FFmpeg decodes, in pixels: as many as the memory of the runner carries. Phones of today take
 * pictures of 108 and 200 million.
 */
export function mostPixels(
  { maxPixels }: Pick<RunnerSettings, 'maxPixels'>,
  memoryMbytes: number,
): number {
  const carried = Math.floor((memoryMbytes * 1024 ** 2) / bytesPerPixel)
  return Math.min(maxPixels, Math.max(alwaysPixels, carried))
}

/** Two frames of 8 bytes a pixel, the deepest format of PNG. */
const bytesPerPixel = 16
/** 8,192 x 8,192. */
const alwaysPixels = 67_108_864

/** Kubernetes refuses a longer deadline of a pod; for a Job it stands for none. */
const longestSeconds = 2_147_483_647

/** Time from the supervisor's TERM to its KILL, so that the pod's deadline never wins over the run cap. */
const killGraceSeconds = 5
