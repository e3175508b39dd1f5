import { basename } from 'node:path'
import type { CommandPlan, StepPlan } from '../../common/command-line/plan.ts'
import type { OutputFile } from '../../common/gateway/messages.ts'
import { storedType } from '../../common/stored-type.ts'
import type { Probed } from '../link/messages.ts'
import type { FetchedInput } from './download/fetch-input.ts'
import type { Execution } from './execution.ts'
import type { FolderSnapshot } from './folder/folder-snapshot.ts'
import { runSteps } from './run-steps.ts'
import { collectOutputs, missing } from './storage/collect-outputs.ts'
import type { CollectedOutput } from './storage/collect-outputs.ts'
import { outputFile, storeOutputs } from './storage/store-outputs.ts'
import { createUploader } from './storage/upload-files.ts'
import type { Supervisor } from './supervisor-link.ts'
import { together } from './together.ts'

export interface MadeOutput {
  readonly output: CollectedOutput
  readonly probed: Promise<Probed>
}

/**
 * Runs the FFmpeg commands; their outputs are probed as soon as their step has ended, beside the
 * steps that follow.
 */
export async function makeOutputs(
  plan: CommandPlan,
  inputs: readonly FetchedInput[],
  supervisor: Supervisor,
  execution: Execution,
): Promise<MadeOutput[]> {
  const made: MadeOutput[] = []
  async function collect({ index }: StepPlan): Promise<void> {
    const written = plan.outputs.filter(({ step }) => step === index)
    for (const output of await collectOutputs(execution.work, written)) {
      const probed = supervisor.probe(output.path, 'record')
      probed.then(
        ({ facts }) => execution.durations.set(output.alias, facts.duration),
        () => undefined,
      )
      made.push({ output, probed })
    }
  }
  const inputPaths = Object.fromEntries(inputs.map(({ alias, path }) => [alias, path]))
  await runSteps(
    { ...execution, plan, supervisor, inputPaths, onStepDone: collect },
    execution.signal,
  )
  return made
}

/** Stores declared outputs and returns their records. */
export async function storeMade(
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
  return files
}

/** Stores whatever the commands have written as one zip. */
export async function storeFolder(
  before: FolderSnapshot,
  execution: Execution,
  signal: AbortSignal,
): Promise<OutputFile[]> {
  const { assignment, work } = execution
  // Loaded here, because most commands declare their outputs and a runner's start counts.
  const { collectFolder } = await import('./folder/collect-folder.ts')
  const { upload, record } = await collectFolder(work, before, assignment.commandId, signal)
  await createUploader(execution)([upload], signal)
  return [record]
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
