import type { RunnableSpec } from './spec-hash.ts'
import type { RunnerSettings } from './runner-settings.ts'

/** The clocks of one command that Kubernetes keeps, in whole seconds. */
export interface Clocks {
  readonly startAllowanceSeconds: number
  readonly podDeadlineSeconds: number
  readonly jobDeadlineSeconds: number
}

/**
 * The run cap itself is the supervisor's and exact. The pod's deadline backs it up: the kubelet
 * starts it when a node takes the pod. The Job's deadline runs from the Job's first sync across all
 * replacements, so one attempt's sum would kill the second attempt.
 */
export function clocksFor(
  { source, maxRunSeconds }: Pick<RunnableSpec, 'source' | 'maxRunSeconds'>,
  settings: Pick<
    RunnerSettings,
    'maxAttempts' | 'startAllowanceSeconds' | 'transferAllowanceSeconds'
  >,
): Clocks {
  const podDeadlineSeconds = Math.min(
    longestSeconds,
    Math.ceil(
      // For a stored file it is the time that probing may take.
      Math.max(1, source.commands.length) * (maxRunSeconds + killGraceSeconds) +
        settings.transferAllowanceSeconds,
    ),
  )
  return {
    startAllowanceSeconds: settings.startAllowanceSeconds,
    podDeadlineSeconds,
    jobDeadlineSeconds:
      settings.maxAttempts * (podDeadlineSeconds + settings.startAllowanceSeconds),
  }
}

/** Kubernetes refuses a longer deadline of a pod. */
const longestSeconds = 2_147_483_647

/** From the supervisor's TERM to its KILL, so that the pod's deadline never wins over the run cap. */
const killGraceSeconds = 5
