import type { FfmpegContainerLost, Step } from '../../../common/gateway/messages.ts'
import type { PodFacts } from '../../observe/pod-facts.ts'
import { limitsFor } from '../../resources/limits.ts'
import { failureOf } from '../../status/pod-end.ts'
import { commitReport } from './commit-report.ts'
import { heldCommand, ok } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Runner } from '../identity/runner-identity.ts'

/** The kubelet writes a pod's status a second or two after a container's end. */
const longestWaitMs = 5_000

/**
 * The socket to the ffmpeg container dropped. Only the pod's status says why, so the report waits
 * for it: killed for memory is a verdict; anything else is an attempt that Kubernetes repeats.
 */
export async function ffmpegContainerLost(
  deps: GatewayDeps,
  runner: Runner,
  report: FfmpegContainerLost,
): Promise<GatewayResponse> {
  const held = await heldCommand(deps.store, runner)
  if ('answer' in held) return held.answer
  const pod = await endedFfmpegContainer(deps, runner)
  const limits = limitsFor(held.row, deps.settings.runner)
  const { stage } = held.row
  const verdict = pod === null ? null : failureOf(pod, { claimed: true, stage, limits })
  if (verdict?.kind !== 'failed') {
    const { commandId, podUid, jobGeneration } = runner
    const evidence = pod?.ffmpeg ?? null
    deps.logger.warn('lost its ffmpeg container', {
      command_id: commandId,
      attempt: podUid,
      round: jobGeneration,
      evidence,
    })
    return ok({ kind: 'again' })
  }
  const { errorStatus, message } = verdict
  return commitReport(deps, runner, {
    commandId: runner.commandId,
    attempt: runner.podUid,
    outcome: { status: 'FAILED', errorStatus, errorMessage: message },
    steps: report.steps.map(endedStep),
    usage: report.usage,
    logs: report.logs,
  })
}

/** The pod once its status shows how the ffmpeg container ended, or as it is at the timeout. */
function endedFfmpegContainer(
  { pods, effects }: GatewayDeps,
  { podUid }: Runner,
): Promise<PodFacts | null> {
  return new Promise((resolve) => {
    const check = () => {
      const pod = pods.podByUid(podUid)
      if (pod !== null && hasEnded(pod)) end(pod)
    }
    const end = (pod: PodFacts | null) => {
      cancel()
      unsubscribe()
      resolve(pod)
    }
    const cancel = effects.clock.schedule(longestWaitMs, () => end(pods.podByUid(podUid)))
    const unsubscribe = pods.subscribe(check)
    check()
  })
}

function hasEnded({ ffmpeg, reason }: PodFacts): boolean {
  return ffmpeg?.state === 'terminated' || reason !== null
}

/** The running step has failed; the steps that had not started will not run. */
function endedStep(step: Step): Step {
  if (step.status === 'PROCESSING') return { ...step, status: 'FAILED' }
  return step.status === 'QUEUED' ? { ...step, status: 'SKIPPED' } : step
}
