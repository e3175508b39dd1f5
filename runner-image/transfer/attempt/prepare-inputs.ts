import { join } from 'node:path'
import type { CommandPlan } from '../../../common/command-line/model/plan.ts'
import { streamedInputs } from '../../../common/command-line/plan/streamed-inputs.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { boundedInputs } from './bounded-inputs.ts'
import { fetchInputs } from '../download/fetch-inputs.ts'
import type { FetchedInput } from '../download/fetch-input.ts'
import type { ListReader } from '../download/list-reader.ts'
import type { Execution } from './execution.ts'
import { arrivingInputs } from '../streamed/arriving-inputs.ts'
import type { ArrivingInputs } from '../streamed/arriving-inputs.ts'
import type { TransferAllowance } from '../runtime/transfer-allowance.ts'

/** Begins to fetch what the command uses: each input, or the archive with all of them. */
export function beginInputs(
  plan: CommandPlan,
  execution: Execution,
  allowance: TransferAllowance,
): ArrivingInputs {
  const { assignment, attempt, durations, effects, log, signal, work } = execution
  const { inputs, inputFolder, limits, overlap } = assignment
  const used = inputs.filter(({ alias }) => plan.usedInputs.includes(alias))
  const sources = inputFolder === null ? used : [inputFolder]
  const streamed = overlap.inputs && inputFolder === null ? streamedInputs(plan) : []
  const dropping = new AbortController()
  const onFetched = (input: FetchedInput): void => {
    if (inputFolder === null && !durations.has(input.alias)) void learnDuration(input, execution)
  }
  return arrivingInputs({
    effects,
    log,
    work,
    aliases: sources.map(({ alias }) => alias),
    streamed,
    drop() {
      dropping.abort(new Error('the rest of the inputs is not needed'))
    },
    onDuration: (alias, seconds) => durations.set(alias, seconds),
    fetch: (watch) =>
      allowance.spend(
        AbortSignal.any([signal, dropping.signal]),
        () => new Failure('UNREACHABLE_INPUT_FILE', late(limits.transferSeconds, 'fetched')),
        (stop) =>
          fetchInputs(
            {
              ...execution,
              ...watch,
              sources,
              read: streamed,
              lists: listsOf(plan),
              onSegments(fetchedPart) {
                attempt.segmentsFetched(fetchedPart)
              },
              onFetched,
            },
            stop,
          ),
      ),
  })
}

function listsOf(plan: CommandPlan): ListReader {
  const groups = plan.steps.flatMap((step) => step.groups)
  const lists = groups.filter(({ kind, format }) => kind === 'input' && format === 'concat')
  return {
    concat: lists.flatMap(({ alias }) => alias ?? []),
    async open(list, deps) {
      // Loaded here, because most inputs are something else and a runner's start counts.
      const { openList } = await import('../download/playlist/open-list.ts')
      return openList(list, boundedInputs(plan), deps)
    },
  }
}

/**
 * Only for the percentage: nothing waits for it, and an input that cannot be probed causes no
 * failure.
 */
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

export function late(seconds: number, what: string): string {
  return `Files could not be ${what} within ${String(seconds)} seconds`
}

/**
 * Unpacks the archive if one was sent.
 * @returns bytes that FFmpeg finds: of the inputs, or of the archive's files
 */
export async function unpackInputs(
  arriving: ArrivingInputs,
  { assignment, signal, work }: Execution,
): Promise<number> {
  const { inputFolder } = assignment
  const [archive] = inputFolder === null ? [] : await arriving.complete
  if (archive === undefined) return arriving.bytes()
  // Loaded here, because most commands bring no archive and a runner's start counts.
  const { unpackArchive } = await import('../folder/unpack-archive.ts')
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
