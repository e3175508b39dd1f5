import { basename } from 'node:path'
import type { CommandPlan, StepPlan } from '../../../common/command-line/model/plan.ts'
import type { OutputFile } from '../../../common/gateway/messages.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import { missingReason } from '../../failure/missing-reason.ts'
import type { Probed } from '../../link/messages.ts'
import type { FetchedInput } from '../download/fetch-input.ts'
import type { Execution } from './execution.ts'
import type { FolderSnapshot } from '../folder/folder-snapshot.ts'
import { runSteps } from './run-steps.ts'
import { collectOutputs, missing } from '../outputs/collect-outputs.ts'
import type { CollectedOutput } from '../outputs/collect-outputs.ts'
import { createUploader } from '../upload/upload-files.ts'
import { createOutputStore } from '../outputs/output-store.ts'
import type { OutputStore } from '../outputs/output-store.ts'
import { hevcTag } from '../warnings/hevc-tag.ts'
import { unstoredFiles } from '../outputs/unstored-files.ts'
import { relativePlaylists } from '../outputs/relative-playlists.ts'
import { outputFile } from '../outputs/store-outputs.ts'
import type { SupervisorWork } from '../supervisor/supervisor-link.ts'
import { runAll } from '../runtime/run-all.ts'

export interface MadeOutputs {
  readonly made: readonly MadeOutput[]
  /** Has stored some of them already. */
  readonly store: OutputStore
}

interface MadeOutput {
  readonly output: CollectedOutput
  readonly probed: Promise<Probed>
  /** Why there may be nothing in it; null = unknown. */
  readonly reason: string | null
}

/**
 * Runs the FFmpeg commands; their outputs are probed and stored as soon as their step has ended,
 * concurrently with the steps that follow; files that are final earlier are stored earlier.
 */
export async function makeOutputs(
  plan: CommandPlan,
  inputs: readonly Pick<FetchedInput, 'alias' | 'path'>[],
  supervisor: SupervisorWork,
  execution: Execution,
): Promise<MadeOutputs> {
  const made: MadeOutput[] = []
  const store = createOutputStore(execution)
  const outputsOf = ({ index }: StepPlan) => plan.outputs.filter(({ step }) => step === index)
  async function collect(step: StepPlan, log: string): Promise<void> {
    const reason = missingReason(step, log, execution.durations)
    // Before anything reads or stores them.
    for (const { folder } of outputsOf(step)) {
      if (folder !== null)
        await relativePlaylists(execution.work, folder, () => execution.effects.newId())
    }
    const collected = await collectOutputs(execution.work, outputsOf(step), reason, step.log?.path)
    for (const output of collected) {
      if (output.isPlaylist) execution.warnings.add(unstoredFiles(execution.work, output))
      const probed = supervisor.probe(output.path, 'record')
      probed.then(
        (answer) => {
          execution.durations.set(output.alias, answer.facts.duration)
          execution.warnings.add(hevcTag(output, answer))
        },
        () => undefined,
      )
      made.push({ output, probed, reason })
    }
    store.end(collected)
  }
  /** Best-effort: the upload reports the same error later. */
  function openConnection(): void {
    const { storageOrigin } = execution.assignment
    if (storageOrigin !== undefined) store.openAhead(storageOrigin)
  }
  const inputPaths = Object.fromEntries(inputs.map(({ alias, path }) => [alias, path]))
  try {
    await runSteps(
      {
        ...execution,
        plan,
        supervisor,
        inputPaths,
        onStepStart(step) {
          // After the request to start FFmpeg was sent, which the load of TLS would delay.
          if (step.index === 0) execution.effects.clock.schedule(0, openConnection)
          if (execution.assignment.overlap.outputs) store.begin(outputsOf(step), step)
        },
        onStepDone: collect,
      },
      execution.signal,
    )
  } catch (error) {
    await store.abort(error)
    throw error
  }
  return { made, store }
}

/** Stores the declared outputs that are not stored yet and returns the records of all. */
export async function storeMade(
  { made, store }: MadeOutputs,
  signal: AbortSignal,
): Promise<OutputFile[]> {
  const [files = []] = await runAll<OutputFile[]>(signal, [
    () => Promise.all(made.map(recordOf)),
    async (stop) => {
      await store.finish(stop)
      return []
    },
  ])
  return files
}

/** Stores all files that the commands have written as one zip. */
export async function storeFolder(
  before: FolderSnapshot,
  execution: Execution,
  signal: AbortSignal,
): Promise<OutputFile[]> {
  const { assignment, work } = execution
  // Loaded here, because most commands declare their outputs and a runner's start counts.
  const { collectFolder } = await import('../folder/collect-folder.ts')
  const { upload, record } = await collectFolder(work, before, assignment.commandId, signal)
  await createUploader(execution)([upload], signal)
  return [record]
}

/** @throws Failure MISSING_OUTPUT_FILE where FFmpeg wrote a container without a single stream */
async function recordOf({ output, probed, reason }: MadeOutput): Promise<OutputFile> {
  const { streams, facts } = await probed
  if (streams === 0 && isMedia(output.path)) {
    throw missing({ alias: output.alias, name: basename(output.path) }, reason)
  }
  return outputFile(output, facts)
}

/** A text file of FFmpeg's metadata format can be probed too, and has no streams either. */
function isMedia(path: string): boolean {
  return /^(video|audio|image)\//.test(storedType(path).contentType)
}
