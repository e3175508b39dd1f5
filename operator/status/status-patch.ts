import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import type { StoredFileStatus } from '../../crds/storedfile.ts'
import { essenceOf, isEndState, phaseOf, wholeOf } from '../observe/shown-status.ts'
import type { ShownStatus, WorkStatus } from '../observe/shown-status.ts'

export type PatchTiming =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'now'; readonly what: ShownChange }
  | { readonly kind: 'later'; readonly afterMs: number }

/** Change that a patch would show: the end, another state or reason, or how far the same state has come. */
export type ShownChange = 'end' | 'state' | 'progress'

const progressMs = 10_000
const settleMs = 1_500

/**
 * When a changed status is worth its API request. An end is written at once; progress and stages at
 * most every 10 s; all earlier changes are debounced, because in a short command the next change
 * follows at once. On a machine with two CPUs the request took 30 to 40 ms from the runner that was
 * starting.
 *
 * Each patch writes the whole object to etcd again, so a large one gets one per phase: four in its
 * life, and a retry shows nothing.
 * @param pendingMs how long the wanted status has differed from the shown one
 * @param sincePatchMs since this process last wrote it; null when it never did
 */
export function patchTiming(
  wanted: WorkStatus,
  shown: ShownStatus,
  times: { readonly pendingMs: number; readonly sincePatchMs: number | null },
  large = false,
): PatchTiming {
  const { pendingMs, sincePatchMs } = times
  if (wholeOf(wanted) === shown.whole) return { kind: 'unchanged' }
  if (large && phaseOf(wanted) <= shown.phase) return { kind: 'unchanged' }
  if (isEndState(wanted.state)) return { kind: 'now', what: 'end' }
  const what = essenceOf(wanted) === shown.essence ? 'progress' : 'state'
  const waitMs =
    what === 'progress' ? progressMs - (sincePatchMs ?? progressMs) : settleMs - pendingMs
  // Whole milliseconds: the rest of a fraction is too small to move a clock that counts fractions.
  return waitMs <= 0 ? { kind: 'now', what } : { kind: 'later', afterMs: Math.ceil(waitMs) }
}

/** The body for a merge patch: obsolete fields are cleared, since an absent field would stay. */
export function statusPatch(
  wanted: WorkStatus,
  kind: WorkKind = 'FfmpegCommand',
): Record<string, unknown> {
  return {
    ...(kind === 'FfmpegCommand' ? clearedCommand : clearedFile),
    ...wanted,
    ...('outputs' in wanted && wanted.outputs !== undefined
      ? { outputs: clearedOutputs(wanted.outputs) }
      : {}),
  }
}

const clearedBoth = {
  observedGeneration: null,
  state: null,
  reason: null,
  message: null,
  attempt: null,
  attempts: null,
  start: null,
  jobName: null,
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  startAllowanceSeconds: null,
  podDeadlineSeconds: null,
  jobDeadlineSeconds: null,
  errorStatus: null,
  errorMessage: null,
  conditions: null,
}

const clearedFile: Record<keyof StoredFileStatus, null> = {
  ...clearedBoth,
  fileType: null,
  sizeBytes: null,
  url: null,
}

const clearedCommand: Record<keyof FfmpegCommandStatus, null> = {
  ...clearedBoth,
  stage: null,
  progressPercent: null,
  steps: null,
  queuePosition: null,
  vcpuCount: null,
  outputs: null,
}

function clearedOutputs(outputs: NonNullable<FfmpegCommandStatus['outputs']>): object {
  return { count: null, bytes: null, firstUrl: null, files: null, more: null, ...outputs }
}
