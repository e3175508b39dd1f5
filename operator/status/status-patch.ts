import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import { shownStatus } from './shown-status.ts'
import type { ShownStatus } from './shown-status.ts'

export type PatchTiming =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'now' }
  | { readonly kind: 'later'; readonly afterMs: number }

const progressMs = 10_000
const settleMs = 1_500

/**
 * When a changed status is worth its API request. An end and the first word of a runner are written
 * at once; progress and stages at most every 10 s; and what comes before the runner waits a moment,
 * because in a short command the next change arrives within it.
 * @param pendingMs how long the wanted status has differed from the shown one
 * @param sincePatchMs since this process last wrote it; null when it never did
 */
export function patchTiming(
  wanted: FfmpegCommandStatus,
  shown: ShownStatus,
  { pendingMs, sincePatchMs }: { pendingMs: number; sincePatchMs: number | null },
): PatchTiming {
  const next = shownStatus(wanted)
  if (next.whole === shown.whole) return { kind: 'unchanged' }
  if (wanted.state === 'SUCCESS' || wanted.state === 'FAILED') return { kind: 'now' }
  const waitMs =
    next.essence === shown.essence
      ? progressMs - (sincePatchMs ?? progressMs)
      : wanted.attempt === undefined
        ? settleMs - pendingMs
        : 0
  return waitMs <= 0 ? { kind: 'now' } : { kind: 'later', afterMs: waitMs }
}

/** The body for a merge patch: what no longer holds is cleared, since an absent field would stay. */
export function statusPatch(wanted: FfmpegCommandStatus): Record<string, unknown> {
  return {
    ...cleared,
    ...wanted,
    ...(wanted.outputs === undefined ? {} : { outputs: clearedOutputs(wanted.outputs) }),
  }
}

const cleared: Record<keyof FfmpegCommandStatus, null> = {
  observedGeneration: null,
  state: null,
  stage: null,
  reason: null,
  message: null,
  progressPercent: null,
  steps: null,
  attempt: null,
  attempts: null,
  jobName: null,
  queuePosition: null,
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  startAllowanceSeconds: null,
  podDeadlineSeconds: null,
  jobDeadlineSeconds: null,
  errorStatus: null,
  errorMessage: null,
  outputs: null,
  conditions: null,
}

function clearedOutputs(outputs: NonNullable<FfmpegCommandStatus['outputs']>): object {
  return { count: null, bytes: null, firstUrl: null, ...outputs }
}
