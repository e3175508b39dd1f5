import { basename } from 'node:path'
import type { CommandPlan, StepPlan } from '../../common/command-line/plan.ts'
import { Failure, transferExit } from '../../common/failures.ts'
import type { Effects } from '../../common/effects.ts'
import type { Assignment, OutputFile } from '../../common/gateway/messages.ts'
import { storedType } from '../ffmpeg/mime-type.ts'
import type { Probed } from '../link/messages.ts'
import type { Attempt } from './attempt.ts'
import { AttemptEnded } from './attempt-ended.ts'
import type { FetchedInput } from './download/fetch-input.ts'
import { fetchInputs } from './download/fetch-inputs.ts'
import type { Resolve } from './download/guard.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Log } from './log.ts'
import { planAssignment } from './plan-assignment.ts'
import type { ProgressReporter } from './progress-reporter.ts'
import { runSteps } from './run-steps.ts'
import type { StepLogs } from './step-logs.ts'
import { collectOutputs, missing } from './storage/collect-outputs.ts'
import type { CollectedOutput } from './storage/collect-outputs.ts'
import { outputFile, storeOutputs } from './storage/store-outputs.ts'
import { createUploader } from './storage/upload-files.ts'
import type { Supervisor } from './supervisor-link.ts'
import { together } from './together.ts'
import { createTransferAllowance } from './transfer-allowance.ts'

export interface Execution {
  readonly assignment: Assignment
  readonly attempt: Attempt
  readonly effects: Effects
  readonly gateway: Gateway
  readonly log: Log
  readonly logs: StepLogs
  readonly reporter: ProgressReporter
  readonly resolve: Resolve
  readonly signal: AbortSignal
  /** Being connected while inputs arrive. */
  readonly supervisor: Promise<Supervisor>
  readonly work: string
}

/**
 * The work of one attempt, in the order of the stages that users see.
 * @returns the records of what was stored
 * @throws Failure, NeighbourLost, AttemptEnded
 */
export async function carryOut(execution: Execution): Promise<OutputFile[]> {
  const { assignment, attempt, effects, reporter, signal } = execution
  const plan = planAssignment(assignment)
  const allowance = createTransferAllowance(effects.clock, assignment.limits.transferSeconds)
  const durations = new Map<string, number | null>()

  const inputs = await allowance.spend(
    signal,
    () => new Failure('UNREACHABLE_INPUT_FILE', late(assignment, 'fetched')),
    (stop) => fetchUsedInputs(plan, durations, execution, stop),
  )
  attempt.usage.inputBytes = inputs.reduce((sum, { bytes }) => sum + bytes, 0)

  attempt.moveTo({ status: 'PROCESSING', stage: 'PREPARING_INPUT_FILES' })
  const supervisor = await effects.failpoint('transfer.inputs_ready', () =>
    usableSupervisor(execution),
  )

  attempt.moveTo({ status: 'PREPARED_FFMPEG_COMMAND', stage: 'PREPARING_INPUT_FILES' })
  reporter.poke()
  attempt.moveTo({ status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' })
  const made = await makeOutputs(plan, inputs, durations, supervisor, execution)

  attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
  reporter.poke()
  return allowance.spend(
    signal,
    () => new Failure('STORAGE_ERROR', late(assignment, 'stored')),
    (stop) => storeMade(made, execution, stop),
  )
}

function late({ limits }: Assignment, what: string): string {
  return `Files could not be ${what} within ${String(limits.transferSeconds)} seconds`
}

function fetchUsedInputs(
  plan: CommandPlan,
  durations: Map<string, number | null>,
  execution: Execution,
  signal: AbortSignal,
): Promise<FetchedInput[]> {
  const sources = execution.assignment.inputs.filter(({ alias }) => plan.usedInputs.includes(alias))
  const onFetched = ({ alias, path }: FetchedInput): void => {
    void learnDuration(alias, path, durations, execution)
  }
  return fetchInputs({ ...execution, sources, onFetched }, signal)
}

/** For the percentage alone: nothing waits for it, and an input that cannot be probed fails nothing. */
async function learnDuration(
  alias: string,
  path: string,
  durations: Map<string, number | null>,
  { supervisor, log }: Execution,
): Promise<void> {
  try {
    const { facts } = await (await supervisor).probe(path, 'duration')
    durations.set(alias, facts.duration)
  } catch (error) {
    log('info', 'an input was not probed', { alias, error })
  }
}

async function usableSupervisor({ supervisor, log }: Execution): Promise<Supervisor> {
  const connected = await supervisor
  const { sandbox, ffmpegVersion } = await connected.ready()
  log('info', 'ready to run', { ffmpegVersion, sandbox })
  if (sandbox.usable) return connected
  throw new AttemptEnded(
    transferExit.sandboxUnavailable,
    `sandbox unavailable on this node: ${sandbox.problem ?? 'unknown'}`,
  )
}

interface MadeOutput {
  readonly output: CollectedOutput
  readonly probed: Promise<Probed>
}

/** Outputs are probed as soon as their step has ended, beside the steps that follow. */
async function makeOutputs(
  plan: CommandPlan,
  inputs: readonly FetchedInput[],
  durations: Map<string, number | null>,
  supervisor: Supervisor,
  execution: Execution,
): Promise<MadeOutput[]> {
  const made: MadeOutput[] = []
  async function collect({ index }: StepPlan): Promise<void> {
    const written = plan.outputs.filter(({ step }) => step === index)
    for (const output of await collectOutputs(execution.work, written)) {
      const probed = supervisor.probe(output.path, 'record')
      probed.then(
        ({ facts }) => durations.set(output.alias, facts.duration),
        () => undefined,
      )
      made.push({ output, probed })
    }
  }
  const inputPaths = Object.fromEntries(inputs.map(({ alias, path }) => [alias, path]))
  await runSteps(
    { ...execution, plan, supervisor, inputPaths, durations, onStepDone: collect },
    execution.signal,
  )
  return made
}

async function storeMade(
  made: readonly MadeOutput[],
  execution: Execution,
  signal: AbortSignal,
): Promise<OutputFile[]> {
  const outputs = made.map(({ output }) => output)
  const upload = createUploader(execution)
  const [files = []] = await together<OutputFile[]>(signal, [
    () => Promise.all(made.map(recordOf)),
    async (stop) => {
      await storeOutputs(outputs, execution.work, upload, stop)
      return []
    },
  ])
  execution.attempt.usage.outputBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return files
}

/** @throws Failure MISSING_OUTPUT_FILE where FFmpeg wrote a container without a single stream */
async function recordOf({ output, probed }: MadeOutput): Promise<OutputFile> {
  const { streams, facts } = await probed
  if (streams === 0 && isMedia(output.path)) {
    throw missing({ alias: output.alias, name: basename(output.path) })
  }
  return outputFile(output, facts)
}

/** A text file of FFmpeg's metadata format can be probed too, and has no streams either. */
function isMedia(path: string): boolean {
  return /^(video|audio|image)\//.test(storedType(path).contentType)
}
