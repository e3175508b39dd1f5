import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Assignment, InputSource } from '../../../common/gateway/messages.ts'
import { runAll } from '../runtime/run-all.ts'
import { createByteBudget } from './http/byte-budget.ts'
import { directPool, guardedPool } from './http/connection-pool.ts'
import { fetchInput } from './fetch-input.ts'
import type { ArrivingInput, FetchDependencies, FetchedInput } from './fetch-input.ts'
import type { ListReader } from './list-reader.ts'
import { createOriginTurns } from './origin-turns.ts'
import { createSegmentCount } from './segment-count.ts'
import type { GrowingFile } from './growing-file.ts'
import { createGuard } from '../../../common/network/guard.ts'
import type { Resolve } from '../../../common/network/guard.ts'
import { directOpen, guardedOpen } from './open-url.ts'

export interface FetchInputsRequest {
  readonly sources: readonly InputSource[]
  readonly assignment: Pick<Assignment, 'limits' | 'network'>
  /** The working folder; inputs lie beside it. */
  readonly work: string
  readonly effects: Effects
  readonly resolve: Resolve
  /** Called as soon as one is complete. */
  readonly onFetched: (input: FetchedInput) => void
  /** Whether messages name the inputs' aliases; by default they do. */
  readonly named?: boolean
  /** Called once a server has answered, for each version of a file. */
  readonly onArriving?: (input: ArrivingInput) => void
  /** Aliases of files that may be read while they come. */
  readonly read?: readonly string[]
  /** Fetches what playlists and lists name; by default, they stay as they are. */
  readonly lists?: ListReader
  /** Called with the part of their files that is there, 0 to 1. */
  readonly onSegments?: (fetchedPart: number) => void
  /** Moves a complete file to the path at which FFmpeg opens it; by default it is renamed. */
  readonly place?: FetchDependencies['place']
}

/**
 * Fetches all inputs at once.
 * @throws Failure of the first input that failed; the others are aborted
 */
export async function fetchInputs(
  request: FetchInputsRequest,
  signal: AbortSignal,
): Promise<FetchedInput[]> {
  const { effects, assignment, work } = request
  const { clock } = effects
  const guarded = guardedPool(createGuard(assignment.network, request.resolve), clock)
  const direct = directPool(clock)
  const paths = new Map(
    request.sources.map(({ alias }) => [alias, Promise.withResolvers<string>()]),
  )
  const deps = {
    guarded: guardedOpen(guarded, clock),
    direct: directOpen(direct, clock),
    effects,
    work,
    budget: createByteBudget(assignment.limits.scratchBytes),
    fileBytes: assignment.limits.fileBytes,
    named: request.named ?? true,
    turns: createOriginTurns(),
    lists: request.lists ?? null,
    segments: createSegmentCount(request.onSegments ?? (() => undefined)),
    pathOf: (alias: string) => paths.get(alias)?.promise ?? null,
    onPath(alias: string, path: string) {
      paths.get(alias)?.resolve(path)
    },
    read: request.read ?? [],
    onArriving: request.onArriving ?? (() => undefined),
    place: request.place ?? ((file, { path }) => inPlace(file, path, work)),
  }
  try {
    return await runAll(
      signal,
      request.sources.map((source) => async (stop) => {
        const input = await fetchInput(source, deps, stop)
        request.onFetched(input)
        return input
      }),
    )
  } finally {
    guarded.close()
    direct.close()
  }
}

async function inPlace(file: GrowingFile, path: string, work: string): Promise<string> {
  await rename(file.path, join(work, path))
  return path
}
