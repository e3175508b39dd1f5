import { join } from 'node:path'
import type { CommandPlan } from '../../common/command-line/plan.ts'
import { fetchInputs } from './download/fetch-inputs.ts'
import type { FetchedInput } from './download/fetch-input.ts'
import type { Execution } from './execution.ts'

/** Fetches what the command uses: each input, or the archive with all of them. */
export function fetchUsedInputs(
  plan: CommandPlan,
  execution: Execution,
  signal: AbortSignal,
): Promise<FetchedInput[]> {
  const { inputs, inputFolder } = execution.assignment
  const sources = inputs.filter(({ alias }) => plan.usedInputs.includes(alias))
  if (inputFolder !== null)
    return fetchInputs({ ...execution, sources: [inputFolder], onFetched: () => undefined }, signal)
  const onFetched = (input: FetchedInput): void => {
    void learnDuration(input, execution)
  }
  return fetchInputs({ ...execution, sources, onFetched }, signal)
}

/** For the percentage alone: nothing waits for it, and an input that cannot be probed fails nothing. */
async function learnDuration(
  { alias, path }: FetchedInput,
  { durations, supervisor, log }: Execution,
): Promise<void> {
  try {
    const { facts } = await (await supervisor).probe(path, 'duration')
    durations.set(alias, facts.duration)
  } catch (error) {
    log('info', 'an input was not probed', { alias, error })
  }
}

/**
 * Unpacks the archive where one was sent.
 * @returns bytes that FFmpeg finds: of the inputs, or of the archive's files
 */
export async function unpackInputs(
  inputs: readonly FetchedInput[],
  { assignment, signal, work }: Execution,
): Promise<number> {
  const [archive] = inputs
  if (assignment.inputFolder === null || archive === undefined) {
    return inputs.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  // Loaded here, because most commands bring no archive and a runner's start counts.
  const { unpackArchive } = await import('./folder/unpack-archive.ts')
  return unpackArchive(
    {
      archive: join(work, archive.path),
      alias: archive.alias,
      target: work,
      limits: assignment.limits,
    },
    signal,
  )
}
