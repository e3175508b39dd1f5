import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expectedProgress } from '../../common/command-line/expected-duration.ts'
import { finalArgv } from '../../common/command-line/final-argv.ts'
import type { CommandPlan, StepPlan } from '../../common/command-line/plan.ts'
import { Failure, transferExit } from '../../common/failures.ts'
import type { Assignment } from '../../common/gateway/messages.ts'
import { exitFailure } from '../failure/exit-failure.ts'
import type { Exited } from '../link/messages.ts'
import { abortReason } from './abort-reason.ts'
import type { Attempt } from './attempt.ts'
import { AttemptEnded } from './attempt-ended.ts'
import { errorMessage, scrubbed } from './error-message.ts'
import type { StepLogs } from './step-logs.ts'
import type { Supervisor } from './supervisor-link.ts'

export interface StepsRequest {
  readonly plan: CommandPlan
  readonly assignment: Assignment
  readonly work: string
  readonly supervisor: Supervisor
  readonly attempt: Attempt
  readonly logs: StepLogs
  /** Path by alias, relative to the working folder. */
  readonly inputPaths: Readonly<Record<string, string>>
  /** Seconds by alias, of inputs and of outputs of earlier steps; grows while steps run. */
  readonly durations: ReadonlyMap<string, number | null>
  /** The step has succeeded: its outputs are final. */
  readonly onStepDone: (step: StepPlan) => Promise<void>
}

/**
 * Runs the FFmpeg commands in order.
 * @throws Failure of the first that did not succeed
 */
export async function runSteps(request: StepsRequest, signal: AbortSignal): Promise<void> {
  const { supervisor } = request
  const onAbort = (): void => {
    supervisor.kill(isCancel(signal) ? 'cancelled' : 'interrupted')
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for (const step of request.plan.steps) {
      signal.throwIfAborted()
      await runStep(step, request, signal)
      await request.onStepDone(step)
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function isCancel(signal: AbortSignal): boolean {
  const reason = abortReason(signal)
  return reason instanceof Failure && reason.status === 'CANCELLED'
}

async function runStep(step: StepPlan, request: StepsRequest, signal: AbortSignal): Promise<void> {
  const { assignment, attempt, logs, supervisor, work } = request
  const { limits, maxRunSeconds, vcpuCount } = assignment
  for (const folder of step.folders) await mkdir(join(work, folder), { recursive: true })
  attempt.stepStarted(step.index)
  const ending = supervisor.run(
    {
      step: step.index,
      argv: finalArgv(step, {
        inputPaths: request.inputPaths,
        vcpuCount,
        maxPixels: limits.maxPixels,
      }),
      limits: {
        seconds: maxRunSeconds,
        fileBytes: limits.fileBytes,
        scratchBytes: limits.scratchBytes,
        fileCount: limits.fileCount,
      },
    },
    {
      onProgress(reached) {
        const expected = expectedProgress(step, Object.fromEntries(request.durations))
        attempt.stepReached(step.index, expected, reached)
      },
      onStderr({ lines, dropped }) {
        const readable = lines.map((line) => scrubbed(line, request.inputPaths))
        logs.add(step.index, readable, dropped)
      },
    },
  )
  const exited = await endedOrStopped(ending, signal)
  const { seconds, code } = exited
  const failure = failureOf(exited, request)
  attempt.stepEnded(step.index, { succeeded: failure === null, seconds, code })
  signal.throwIfAborted()
  if (failure !== null) throw failure
}

/**
 * A cancelled run is waited for, so that its seconds are known; any other end of the attempt is
 * not: there are seconds left until this process is killed.
 */
async function endedOrStopped(ending: Promise<Exited>, signal: AbortSignal): Promise<Exited> {
  const stopped = Promise.withResolvers<never>()
  const onAbort = (): void => {
    if (!isCancel(signal)) stopped.reject(abortReason(signal))
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([ending, stopped.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function failureOf(exited: Exited, request: StepsRequest): Error | null {
  if (exited.reason === 'not_started') {
    return new AttemptEnded(transferExit.unexpected, `FFmpeg could not be started: ${exited.tail}`)
  }
  if (exited.reason === 'interrupted') {
    // The pod is being ended and the other container was told first: no verdict on the command.
    return new AttemptEnded(transferExit.interrupted, 'FFmpeg was interrupted by SIGTERM')
  }
  const { limits, maxRunSeconds } = request.assignment
  const failure = exitFailure(exited, {
    capSeconds: maxRunSeconds,
    fileBytes: limits.fileBytes,
    scratchBytes: limits.scratchBytes,
    fileCount: limits.fileCount,
    memoryBytes: request.supervisor.memory()?.limit ?? null,
  })
  if (failure === null) return null
  const place =
    failure.withLog && request.plan.steps.length > 1 ? ` in command ${String(exited.step)}` : ''
  const log = failure.withLog ? exited.tail : ''
  return new Failure(
    failure.status,
    errorMessage(failure.sentence + place, log, request.inputPaths),
  )
}
