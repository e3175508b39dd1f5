import { sleep } from '../../../common/runtime/effects.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import { directly } from '../../../common/runtime/failpoint.ts'
import { warmRunnerJobOf } from '../../../common/gateway/pod-name.ts'
import { awaitCommand } from '../../../runner-image/transfer/await-command.ts'
import { Failure, transferExit } from '../../../common/domain/failures.ts'
import type { Assignment, Result, Verdict } from '../../../common/gateway/messages.ts'
import { AttemptEnded, verdictExit } from '../../../runner-image/transfer/runtime/attempt-ended.ts'
import { createAttempt } from '../../../runner-image/transfer/report/attempt.ts'
import type { Attempt } from '../../../runner-image/transfer/report/attempt.ts'
import { createGateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import type { Gateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import type { Ask } from '../../../runner-image/transfer/gateway/request.ts'
import { startReporting } from '../../../runner-image/transfer/report/progress-reporter.ts'
import type { ProgressReporter } from '../../../runner-image/transfer/report/progress-reporter.ts'
import { createStepLogs } from '../../../runner-image/transfer/report/step-logs.ts'
import { terminationMessage } from '../../../runner-image/transfer/report/termination-message.ts'
import type { FakeStorage } from '../world/fake-storage.ts'
import type { PodProcess } from './node-state.ts'
import type { EndedContainer } from './pod-state.ts'
import { storeOutputs } from './store-outputs.ts'
import { createProcess } from '../world/process.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { scenarioOf } from '../world/settings.ts'
import type { Scenario } from '../world/settings.ts'
import type { Trace } from '../world/trace.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'

export interface RunnerDeps {
  readonly clock: VirtualClock
  readonly trace: Trace
  readonly storage: FakeStorage
  /** The runner gateway over its network. */
  readonly ask: (process: SimulatedProcess, pod: Pod) => Ask
  /** A pod was given this command. */
  readonly assigned: (podUid: string, commandId: string) => void
  readonly random: () => number
  /** Tells the kubelet that the other container is gone while this one runs. */
  readonly ffmpegContainerEnded: (podName: string, ended: EndedContainer) => void
}

interface Pod {
  readonly name: string
  readonly uid: string
}

const patienceMs = 90_000

/**
 * A runner whose FFmpeg is a scenario: the product's own client of the gateway, record of progress and
 * exit codes, without files, processes and sockets.
 */
export function startRunner(
  deps: RunnerDeps,
  pod: Pod,
  onExit: (ended: readonly EndedContainer[]) => void,
): PodProcess {
  const process = createProcess(pod.name.slice(-8), deps.clock)
  const stop = new AbortController()
  const message = { text: '' }
  const gateway = createGateway(deps.ask(process, pod), patienceMs)
  void exitCodeOf(() => run({ ...deps, pod, process, gateway, stop, message })).then((exitCode) => {
    deps.trace.add(process.name, `exits with ${exitCode}`)
    process.kill()
    onExit([
      { name: 'transfer', exitCode, reason: 'Completed', message: message.text },
      { name: 'ffmpeg', exitCode: 0, reason: 'Completed' },
    ])
  })
  return {
    interrupt: () => stop.abort(new AttemptEnded(transferExit.interrupted, 'SIGTERM')),
    kill: () => process.kill(),
    freeze: () => process.pause(),
    thaw: () => process.resume(),
  }
}

async function exitCodeOf(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    return error instanceof AttemptEnded ? error.exitCode : transferExit.unexpected
  }
}

interface Run extends RunnerDeps {
  readonly pod: Pod
  readonly process: SimulatedProcess
  readonly gateway: Gateway
  readonly stop: AbortController
  readonly message: { text: string }
}

async function run(deps: Run): Promise<number> {
  const { gateway, process, stop, message } = deps
  const assignment =
    warmRunnerJobOf(deps.pod.name) === null
      ? await gateway.assignment(stop.signal)
      : await awaitCommand(deps.ask(process, deps.pod), effectsOf(deps), () => undefined, {
          startedMs: process.clock.monotonicMs(),
          signal: stop.signal,
        })
  deps.assigned(deps.pod.uid, assignment.commandId)
  const attempt = createAttempt(assignment.commands.length)
  const reporter = startReporting({
    gateway,
    attempt,
    logs: createStepLogs(),
    clock: process.clock,
    onCancel: () => stop.abort(new Failure('CANCELLED', 'Cancelled by request')),
    onEnded: (error) => stop.abort(error),
  })
  const source = assignment.file?.kind === 'store' ? assignment.file.source : assignment.inputs[0]
  const scenario = scenarioOf(source?.url ?? '')
  const outcome = await outcomeOf(
    () => carryOut({ ...deps, assignment, attempt, reporter, scenario }),
    stop,
  )
  reporter.stop()
  if (outcome === 'crash') return transferExit.unexpected
  const succeeded = outcome !== 'container lost' && outcome.status === 'SUCCESS'
  const facts = { steps: attempt.finalSteps(succeeded), usage: attempt.usage, logs: [] }
  if (outcome === 'container lost') {
    const { kind } = await gateway.ffmpegContainerLost(facts)
    return kind === 'again' ? transferExit.ffmpegContainerLost : transferExit.recordedFault
  }
  const result: Result = { outcome, ...facts }
  message.text = isTooLong(scenario) ? '' : (terminationMessage(result) ?? '')
  if (scenario.kind === 'mute') return transferExit.gatewayUnreachable
  const first = await gateway.result(result)
  const verdict = first.kind === 'differs' ? await storeAgain(deps, assignment, result) : first
  if (verdict.kind === 'differs') return transferExit.unexpected
  return verdict.kind === 'again'
    ? transferExit.unexpected
    : verdictExit(verdict.status, verdict.errorStatus)
}

/** Random numbers are all that the wait for a command takes of them, beside the time. */
function effectsOf({ process, random }: Run): Effects {
  return {
    clock: process.clock,
    random,
    newId: () => '0197a3f1-0000-7000-8000-000000000001',
    failpoint: directly,
  }
}

async function storeAgain(deps: Run, assignment: Assignment, result: Result): Promise<Verdict> {
  const { gateway, process, stop } = deps
  const scenario = scenarioOf(assignment.inputs[0]?.url ?? '')
  const wait = (ms: number): Promise<void> => sleep(process.clock, ms, stop.signal)
  const outcome = await storeOutputs({ ...deps, assignment, scenario }, wait)
  return gateway.result({ ...result, outcome: { ...outcome, storedAgain: true } })
}

/** Half of the results do not fit the message, as those of many outputs. */
function isTooLong({ kind, workMs }: Scenario): boolean {
  return kind !== 'mute' && workMs % 2 === 0
}

type Outcome = Result['outcome'] | 'container lost' | 'crash'

async function outcomeOf(work: () => Promise<Outcome>, stop: AbortController): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
    if (!(reason instanceof Failure)) throw reason
    return { status: 'FAILED', errorStatus: reason.status, errorMessage: reason.message }
  }
}

interface Work extends Run {
  readonly assignment: Assignment
  readonly attempt: Attempt
  readonly reporter: ProgressReporter
  readonly scenario: Scenario
}

async function carryOut(work: Work): Promise<Outcome> {
  const { assignment, attempt, process, reporter, scenario, stop } = work
  const wait = (ms: number): Promise<void> => sleep(process.clock, ms, stop.signal)
  await wait(scenario.workMs * 0.2)
  if (scenario.kind === 'failure' && scenario.errorStatus === 'UNREACHABLE_INPUT_FILE') {
    throw new Failure(scenario.errorStatus, 'An input file could not be fetched')
  }
  if (assignment.file !== null) return storeFile(work, wait)
  attempt.moveTo({ status: 'PROCESSING', stage: 'PREPARING_INPUT_FILES' })
  await wait(scenario.workMs * 0.05)
  attempt.moveTo({ status: 'PREPARED_FFMPEG_COMMAND', stage: 'PREPARING_INPUT_FILES' })
  reporter.notify()
  attempt.moveTo({ status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' })
  attempt.stepStarted(0)
  for (let tick = 1; tick <= 4; tick += 1) {
    await wait(scenario.workMs * 0.15)
    attempt.stepReached(0, { seconds: 4, frames: null }, { outTimeUs: tick * 1e6, frame: null })
  }
  const end = await endOfFfmpeg(work, wait)
  if (end !== null) return end
  attempt.stepEnded(0, { succeeded: true, seconds: scenario.workMs / 1_000, code: 0 })
  attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
  reporter.notify()
  const outcome = await storeOutputs(work, wait)
  await wait(scenario.workMs * 0.15)
  return outcome
}

/** Fetched bytes go to the storage while they are probed. */
async function storeFile(work: Work, wait: (ms: number) => Promise<void>): Promise<Outcome> {
  const { attempt, reporter, scenario } = work
  await wait(scenario.workMs * 0.5)
  if (scenario.kind === 'crash') return 'crash'
  attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
  reporter.notify()
  const assignment = { ...work.assignment, outputs: { file: 'in.mp4' } }
  const outcome = await storeOutputs({ ...work, assignment }, wait)
  await wait(scenario.workMs * 0.2)
  return outcome
}

/** null: it went well. */
async function endOfFfmpeg(
  { attempt, scenario, pod, ffmpegContainerEnded }: Work,
  wait: (ms: number) => Promise<void>,
): Promise<Outcome | null> {
  switch (scenario.kind) {
    case 'success':
    case 'large':
    case 'mute':
      return null
    case 'crash':
      return 'crash'
    case 'hang':
      for (;;) await wait(10_000)
    case 'out-of-memory':
      attempt.stepEnded(0, { succeeded: false, seconds: 1, code: 137 })
      ffmpegContainerEnded(pod.name, { name: 'ffmpeg', exitCode: 137, reason: 'OOMKilled' })
      return 'container lost'
    case 'failure':
      attempt.stepEnded(0, { succeeded: false, seconds: 1, code: 1 })
      throw new Failure(scenario.errorStatus, 'FFmpeg ended with an error')
  }
}
