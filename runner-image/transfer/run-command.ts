import { transferExit } from '../../common/failures.ts'
import { Failure } from '../../common/failures.ts'
import type { Effects } from '../../common/effects.ts'
import type { Assignment, Result, Verdict } from '../../common/gateway/messages.ts'
import { abortReason } from './abort-reason.ts'
import { createAttempt } from './attempt.ts'
import { AttemptEnded, NeighbourLost, verdictExit } from './attempt-ended.ts'
import { carryOut } from './carry-out.ts'
import type { Execution } from './carry-out.ts'
import type { Resolve } from './download/guard.ts'
import { errorMessage } from './error-message.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Log } from './log.ts'
import { startReporting } from './progress-reporter.ts'
import { createStepLogs } from './step-logs.ts'
import { connectSupervisor } from './supervisor-link.ts'
import type { Supervisor } from './supervisor-link.ts'
import { terminationMessage } from './termination-message.ts'

export interface RunDependencies {
  readonly gateway: Gateway
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
 * @throws what nobody foresaw
 */
export async function runCommand(deps: RunDependencies, interrupted: AbortSignal): Promise<number> {
  const { effects, gateway } = deps
  const stop = new AbortController()
  interrupted.addEventListener('abort', () => {
    stop.abort(new AttemptEnded(transferExit.interrupted, 'interrupted by SIGTERM'))
  })
  const supervisor = connectSupervisor(deps.socketPath, effects.clock, stop.signal, (error) => {
    stop.abort(error)
  })
  supervisor.catch((error: unknown) => {
    stop.abort(error)
  })
  try {
    const assignment = await effects.failpoint('transfer.assigned', () =>
      gateway.assignment(stop.signal),
    )
    const exitCode = await attemptCommand(assignment, supervisor, deps, stop)
    // Without it the other container would wait for work, and the pod would never end.
    await (await supervisor).bye()
    return exitCode
  } catch (error) {
    const reason = stop.signal.aborted ? abortReason(stop.signal) : error
    if (!(reason instanceof AttemptEnded)) throw reason
    deps.log('warn', reason.message, { cause: reason.cause, exitCode: reason.exitCode })
    return reason.exitCode
  }
}

async function attemptCommand(
  assignment: Assignment,
  supervisor: Promise<Supervisor>,
  deps: RunDependencies,
  stop: AbortController,
): Promise<number> {
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
  const execution = {
    ...deps,
    assignment,
    attempt,
    logs,
    reporter,
    supervisor,
    signal: stop.signal,
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
    deps.log('warn', 'the ffmpeg container is gone', { memory: (await supervisor).memory() })
    return exitAfter(await deps.gateway.neighbourLost(facts), transferExit.neighbourLost)
  }
  const result = { outcome, ...facts }
  // Before the report, not after it: whatever ends this process meanwhile, the outcome is kept.
  const message = terminationMessage(result)
  if (message !== null) await deps.writeTerminationMessage(message)
  return exitAfter(await report(result, deps), transferExit.unexpected)
}

/** Chunks of log in the last message; the gateway takes 100. */
const resultChunks = 100

/** null = the other container died, and only the gateway can find out of what. */
async function outcomeOf(execution: Execution): Promise<Result['outcome'] | null> {
  try {
    return { status: 'SUCCESS', files: await carryOut(execution) }
  } catch (error) {
    const { signal } = execution
    const reason = signal.aborted ? abortReason(signal) : error
    if (reason instanceof NeighbourLost) return null
    if (!(reason instanceof Failure)) throw reason
    execution.log('info', 'the command failed', { error: reason })
    return {
      status: 'FAILED',
      errorStatus: reason.status,
      errorMessage: errorMessage(reason.message, '', {}),
    }
  }
}

function report(result: Result, { gateway, effects }: RunDependencies): Promise<Verdict> {
  return effects.failpoint('transfer.reported', () => gateway.result(result))
}

function exitAfter(verdict: Verdict, again: number): number {
  return verdict.kind === 'again' ? again : verdictExit(verdict.status, verdict.errorStatus)
}
