import { Failure, transferExit } from '../../common/domain/failures.ts'
import {
  AttemptEnded,
  FfmpegContainerLost,
  isVerdictExit,
  verdictExit,
} from './runtime/attempt-ended.ts'
import { abortReason } from '../../common/runtime/effects.ts'
import { createAttempt } from './report/attempt.ts'
import { executeAttempt } from './execute-attempt.ts'
import { errorMessage } from './report/error-message.ts'
import { reportResult } from './report-result.ts'
import { startReporting } from './report/progress-reporter.ts'
import { createStepLogs } from './report/step-logs.ts'
import { connectSupervisor } from './supervisor/supervisor-link.ts'
import { reportedObjects } from './upload/stored-objects.ts'
import { terminationMessage } from './report/termination-message.ts'
import { createWarningList } from './warnings/warning-list.ts'
import { warmUp } from './warm-up.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Assignment, Result } from '../../common/gateway/messages.ts'
import type { Resolve } from '../../common/network/guard.ts'
import type { Execution } from './attempt/execution.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Log } from './report/log.ts'
import type { Supervisor } from './supervisor/supervisor-link.ts'

export interface RunDependencies {
  readonly gateway: Gateway
  /** The pod was started before its command: waits for it. null = the command is known. */
  readonly awaitCommand: ((signal: AbortSignal) => Promise<Assignment>) | null
  readonly effects: Effects
  readonly resolve: Resolve
  readonly log: Log
  /** The working folder, absolute and without links in its path; inputs lie beside it. */
  readonly work: string
  readonly socketPath: string
  readonly writeTerminationMessage: (text: string) => Promise<void>
}

/**
 * One attempt at one command: assignment, work, outcome.
 * @param interrupted aborts at SIGTERM
 * @returns the exit code of the container
 * @throws unexpected errors
 */
export async function runCommand(deps: RunDependencies, interrupted: AbortSignal): Promise<number> {
  const { effects, gateway } = deps
  deps.log(
    'info',
    deps.awaitCommand === null ? 'requesting the assignment' : 'waiting for a command',
  )
  const stop = new AbortController()
  const connecting = new AbortController()
  interrupted.addEventListener('abort', () => {
    connecting.abort()
    stop.abort(new AttemptEnded(transferExit.interrupted, 'interrupted by SIGTERM'))
  })
  let outlivesFfmpegContainer = false
  const lose = (error: unknown): void => {
    if (outlivesFfmpegContainer && error instanceof FfmpegContainerLost) return
    stop.abort(error)
  }
  const supervisor = connectSupervisor(deps.socketPath, effects.clock, connecting.signal, lose)
  supervisor.catch(lose)
  try {
    const { awaitCommand } = deps
    if (awaitCommand !== null) {
      await proven(supervisor)
      warmUp(effects.clock)
    }
    const assignment = await effects.failpoint('transfer.assigned', () =>
      awaitCommand === null ? gateway.assignment(stop.signal) : awaitCommand(stop.signal),
    )
    // A file is stored even if the ffmpeg container dies while it probes it: ffprobe may need too
    // much memory.
    outlivesFfmpegContainer = assignment.file !== null
    const exitCode = await attemptCommand(assignment, supervisor, named(deps, assignment), stop)
    await dismiss(supervisor, (connected) => connected.bye())
    return exitCode
  } catch (error) {
    const reason = error instanceof AttemptEnded ? error : firstCause(error, stop.signal)
    const isOver = reason instanceof AttemptEnded && isVerdictExit(reason.exitCode)
    await dismiss(supervisor, (connected) => (isOver ? connected.bye() : connected.drop()))
    if (!(reason instanceof AttemptEnded)) throw reason
    deps.log('warn', reason.message, { cause: reason.cause, exit_code: reason.exitCode })
    return reason.exitCode
  }
}

/**
 * A pod whose sandbox fails must not wait for a command that it could not run.
 * @throws what `connectSupervisor` reports of the loss
 */
async function proven(supervisor: Promise<Supervisor>): Promise<void> {
  await (await supervisor).ready()
}

function named(deps: RunDependencies, { commandId }: Assignment): RunDependencies {
  const { log } = deps
  return {
    ...deps,
    log: (level, message, fields) => {
      log(level, message, { command_id: commandId, ...fields })
    },
  }
}

/** The reason to stop if the work was stopped, and not an error that follows from the stop. */
function firstCause(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? abortReason(signal) : error
}

/**
 * Called even if the supervisor was not used: only `transfer` ends that container, and the pod with
 * it.
 */
async function dismiss(
  supervisor: Promise<Supervisor>,
  leave: (connected: Supervisor) => Promise<void> | void,
): Promise<void> {
  const connected = await supervisor.catch(() => null)
  if (connected !== null) await leave(connected)
}

async function attemptCommand(
  assignment: Assignment,
  supervisor: Promise<Supervisor>,
  deps: RunDependencies,
  stop: AbortController,
): Promise<number> {
  deps.log('info', 'assigned')
  const attempt = createAttempt(assignment.commands.length)
  const logs = createStepLogs()
  const reporter = startReporting({
    gateway: deps.gateway,
    attempt,
    logs,
    clock: deps.effects.clock,
    onCancel: () => {
      stop.abort(new Failure('CANCELLED', 'Cancelled by request'))
    },
    onEnded: (error) => {
      stop.abort(error)
    },
  })
  const execution: Execution = {
    ...deps,
    objects: new Map(),
    durations: new Map(),
    assignment,
    attempt,
    logs,
    reporter,
    supervisor,
    signal: stop.signal,
    warnings: createWarningList(),
  }
  const outcome = await outcomeOf(execution).finally(() => {
    reporter.stop()
  })
  logs.finish()
  const facts = {
    steps: attempt.finalSteps(outcome !== null && outcome.status === 'SUCCESS'),
    usage: attempt.usage,
    logs: logs.pending(resultChunks),
  }
  if (outcome === null) {
    const memory = await supervisor.then(
      (connected) => connected.memory(),
      () => null,
    )
    deps.log('warn', 'lost the ffmpeg container', { memory })
    const { kind } = await deps.gateway.ffmpegContainerLost(facts)
    // The pod fails by its other container, for any exit code of this one: the Job must not start
    // another.
    return kind === 'again' ? transferExit.ffmpegContainerLost : transferExit.recordedFault
  }
  const result = { outcome, ...facts }
  // Written before the report: if this process ends in between, the outcome is kept.
  const message = terminationMessage(result)
  if (message !== null) await deps.writeTerminationMessage(message)
  deps.log('info', 'reports its result')
  const verdict = await reportResult(result, execution)
  deps.log('info', 'reported')
  return verdict.kind === 'again'
    ? transferExit.unexpected
    : verdictExit(verdict.status, verdict.errorStatus)
}

/** Chunks of log in the last message; the gateway takes 100. */
const resultChunks = 100

/** null = the other container died, and only the gateway can find the cause. */
async function outcomeOf(execution: Execution): Promise<Result['outcome'] | null> {
  try {
    const files = await executeAttempt(execution)
    const success = {
      status: 'SUCCESS',
      files,
      objects: reportedObjects(execution.objects),
    } as const
    const warnings = execution.warnings.all()
    return warnings.length === 0 ? success : { ...success, warnings }
  } catch (error) {
    const reason = firstCause(error, execution.signal)
    if (reason instanceof FfmpegContainerLost) return null
    if (!(reason instanceof Failure)) throw reason
    execution.log('info', 'the command failed', { error: reason })
    return {
      status: 'FAILED',
      errorStatus: reason.status,
      errorMessage: errorMessage(reason.message, '', {}),
    }
  }
}
