import { vcpusOf } from '../../../common/domain/vcpus.ts'
import { expectedProgress } from '../../../common/command-line/plan/expected-progress.ts'
import { finalArgv } from '../../../common/command-line/plan/final-argv.ts'
import type { CommandPlan, StepPlan } from '../../../common/command-line/model/plan.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { levelOf, markedLine } from '../../../common/domain/log-levels.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'
import { scrubbed, scrubbedLine } from '../../failure/readable-line.ts'
import type { Exited } from '../../link/messages.ts'
import { abortReason } from '../../../common/runtime/effects.ts'
import type { Attempt } from '../report/attempt.ts'
import { makeFontFolders, makeFolders } from '../runtime/make-folders.ts'
import { runSideBySide } from './run-side-by-side.ts'
import { stepFailure } from './step-failure.ts'
import type { StepLogs } from '../report/step-logs.ts'
import { watchLog } from '../warnings/log-watch.ts'
import type { WarningList } from '../warnings/warning-list.ts'
import type { SupervisorWork } from '../supervisor/supervisor-link.ts'

export interface StepsRequest {
  readonly plan: CommandPlan
  readonly assignment: Assignment
  readonly work: string
  readonly supervisor: SupervisorWork
  readonly attempt: Attempt
  readonly logs: StepLogs
  readonly warnings: WarningList
  /** Path by alias, relative to the working folder. */
  readonly inputPaths: Readonly<Record<string, string>>
  /** Seconds by alias, of inputs and of outputs of earlier steps; grows while steps run. */
  readonly durations: ReadonlyMap<string, number | null>
  readonly onStepStart: (step: StepPlan) => void
  /** The step has succeeded: its outputs are final. `log` still holds FFmpeg's last errors. */
  readonly onStepDone: (step: StepPlan, log: string) => Promise<void>
}

/**
 * Runs the FFmpeg commands, concurrently if they share no file, as many as there are vCPUs.
 * @throws Failure of the lowest that did not succeed; those after it count as never run
 */
export async function runSteps(request: StepsRequest, signal: AbortSignal): Promise<void> {
  const { assignment, attempt, plan, supervisor } = request
  const onAbort = (): void => {
    supervisor.kill(isCancel(signal) ? 'cancelled' : 'interrupted')
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const failed = await runSideBySide(
      plan.steps,
      vcpusOf(assignment),
      async (step, stop) => {
        const log = await runStep(step, request, stop, signal)
        if (!stop.aborted) await request.onStepDone(step, log)
      },
      signal,
    )
    if (failed === null) return
    for (const { index } of plan.steps) if (index > failed.index) attempt.stepSkipped(index)
    throw failed.failure
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function isCancel(signal: AbortSignal): boolean {
  const reason = abortReason(signal)
  return reason instanceof Failure && reason.status === 'CANCELLED'
}

async function runStep(
  step: StepPlan,
  request: StepsRequest,
  stop: AbortSignal,
  signal: AbortSignal,
): Promise<string> {
  const { assignment, attempt, logs, supervisor, work } = request
  const { limits, maxRunSeconds, vcpuCount } = assignment
  await makeFolders(work, step.folders)
  await makeFontFolders(
    work,
    step.fontFolders.flatMap((alias) => request.inputPaths[alias] ?? []),
  )
  const watch = watchLog(step)
  attempt.stepStarted(step.index)
  request.onStepStart(step)
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
      log: step.log && { ...step.log, inputPaths: request.inputPaths },
      outputs: request.plan.outputs.flatMap((each) => (each.step === step.index ? each.path : [])),
    },
    {
      onProgress(reached) {
        const expected = expectedProgress(step, Object.fromEntries(request.durations))
        attempt.stepReached(step.index, expected, reached)
      },
      onStderr({ lines, dropped }) {
        for (const marked of lines) watch.read(levelOf(marked).line)
        const readable = lines.map((marked) => readableLine(marked, request.inputPaths))
        logs.add(step.index, readable, dropped)
      },
    },
    stop,
  )
  const exited = await endedOrStopped(ending, signal)
  const { seconds, code } = exited
  const failure = await stepFailure(step, exited, request)
  attempt.stepEnded(step.index, { succeeded: failure === null, seconds, code })
  signal.throwIfAborted()
  if (failure !== null && !stop.aborted) throw failure
  request.warnings.add(watch.warnings())
  return scrubbedLog(exited, request)
}

/** Keeps the level while control characters are removed. */
function readableLine(marked: string, inputPaths: StepsRequest['inputPaths']): string {
  const { level, line } = levelOf(marked)
  return markedLine(level, scrubbedLine(line, inputPaths))
}

function scrubbedLog({ tail }: Exited, { inputPaths }: StepsRequest): string {
  return tail
    .split('\n')
    .map((line) => scrubbed(line, inputPaths))
    .join('\n')
}

/**
 * A cancelled run is awaited, so that its seconds are known; any other end of the attempt is not:
 * there are seconds left until this process is killed.
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
