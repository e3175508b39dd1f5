import type { CommandPlan, StepPlan } from '../../../common/command-line/model/plan.ts'
import { Failure, transferExit } from '../../../common/domain/failures.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'
import { exitFailure } from '../../failure/exit-failure.ts'
import { absentStream } from '../../failure/absent-stream.ts'
import { withoutFramesReason } from '../../failure/missing-reason.ts'
import type { Exited } from '../../link/messages.ts'
import { firstMissing, missing } from '../outputs/collect-outputs.ts'
import { errorMessage } from '../report/error-message.ts'
import type { SupervisorWork } from '../supervisor/supervisor-link.ts'
import { unfitInput } from './unfit-input.ts'
import { AttemptEnded } from '../runtime/attempt-ended.ts'

interface StepFailureRequest {
  readonly plan: CommandPlan
  readonly assignment: Assignment
  readonly work: string
  readonly supervisor: Pick<SupervisorWork, 'memory'>
  /** Path by alias, relative to the working folder. */
  readonly inputPaths: Readonly<Record<string, string>>
  /** Seconds by alias. */
  readonly durations: ReadonlyMap<string, number | null>
}

/**
 * Why the run of a step counts as failed; null = it does not.
 * @returns a Failure for the command's record, or an AttemptEnded if it is not the command's fault
 */
export async function stepFailure(
  step: StepPlan,
  exited: Exited,
  request: StepFailureRequest,
): Promise<Error | null> {
  if (exited.reason === 'not_started') {
    return new AttemptEnded(transferExit.unexpected, `FFmpeg could not be started: ${exited.tail}`)
  }
  if (exited.reason === 'unmeasured') {
    // The disk is at fault, not the command: a retry on another node may succeed.
    return new AttemptEnded(transferExit.unexpected, `FFmpeg was left unwatched: ${exited.tail}`)
  }
  if (exited.reason === 'interrupted') {
    // The pod is being ended and the other container was notified first: no verdict on the command.
    return new AttemptEnded(transferExit.interrupted, 'FFmpeg was interrupted by SIGTERM')
  }
  const { limits, maxRunSeconds } = request.assignment
  const failure = exitFailure(exited, {
    capSeconds: maxRunSeconds,
    fileBytes: limits.fileBytes,
    scratchBytes: limits.scratchBytes,
    fileCount: limits.fileCount,
    memoryBytes: request.supervisor.memory()?.limit ?? null,
    inputs: Object.keys(request.inputPaths),
  })
  if (failure === null) return null
  const empty = await withoutFrames(step, exited, request)
  if (empty !== null) return empty
  const plain = failure.withLog ? plainCause(step, exited, failure.status, request) : null
  if (plain !== null) return plain
  const place =
    failure.withLog && request.plan.steps.length > 1 ? ` in command ${String(exited.step)}` : ''
  const log = failure.withLog ? exited.tail : ''
  return new Failure(
    failure.status,
    errorMessage(failure.sentence + place, log, request.inputPaths, commandOf(exited, request)),
  )
}

/** FFmpeg's lines name neither the input nor what is wrong with it. */
function plainCause(
  step: StepPlan,
  { tail }: Exited,
  status: Failure['status'],
  { work, inputPaths }: StepFailureRequest,
): Failure | null {
  const isInvalid = status === 'INVALID_INPUT_FILE'
  const unfit = unfitInput({ step, tail, isInvalid, work, inputPaths })
  if (unfit !== null) return new Failure('INVALID_INPUT_FILE', unfit)
  const absent = absentStream(step, tail)
  return absent === null ? null : new Failure(status, absent)
}

/**
 * Several encoders fail if they get no frame, with a message that does not say so; others succeed.
 */
async function withoutFrames(
  step: StepPlan,
  { reason, signal, oom, threadRefused, tail }: Exited,
  { plan, work, durations, assignment }: StepFailureRequest,
): Promise<Failure | null> {
  if (reason !== null || signal === 'SIGKILL' || oom || threadRefused) return null
  const why = withoutFramesReason(step, tail, durations)
  if (why === null) return null
  const outputs = plan.outputs.filter((output) => output.step === step.index)
  const [only, ...others] = outputs
  if (only === undefined && assignment.outputs !== null) return null
  if (only === undefined) return new Failure('MISSING_OUTPUT_FILE', `OUTPUT_FOLDER: ${why}`)
  const output = (await firstMissing(work, outputs)) ?? (others.length === 0 ? only : null)
  return output === null ? null : missing(output, why)
}

function commandOf({ step }: Exited, { assignment }: StepFailureRequest): string {
  return assignment.commands[step] ?? ''
}
