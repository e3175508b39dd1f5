import { rename } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { FetchedInput } from '../download/fetch-input.ts'
import type { FetchInputsRequest } from '../download/fetch-inputs.ts'
import type { GrowingFile } from '../download/growing-file.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Log } from '../report/log.ts'
import { createArrivals } from './arrivals.ts'
import type { Arrivals } from './arrivals.ts'
import { firstBytes } from './container-start.ts'
import { longestStart } from './start.ts'
import { makeFifo } from './make-fifo.ts'
import { createStartReader } from './start-reader.ts'
import type { ReadStart } from './start-reader.ts'

/** Inputs of a command of which FFmpeg may read some before they are complete. */
export interface ArrivingInputs {
  /** Each input is complete, or can be read while it comes. */
  readonly usable: Promise<UsableInput[]>
  readonly complete: Promise<FetchedInput[]>
  /** Sum of the sizes that servers declare; received bytes for those that declare none. */
  bytes(): number
  /** Aborts the remaining downloads, and waits until nothing is written any more. */
  drop(): Promise<void>
}

export interface UsableInput {
  readonly alias: string
  /** Relative to the working folder. */
  readonly path: string
  /** A FIFO stands at the path, and this is to come out of it; null = the file itself is there. */
  readonly piped: PipedFile | null
}

export interface PipedFile {
  readonly file: GrowingFile
  /** Puts the complete file in the FIFO's place. */
  settle(): Promise<void>
}

export interface ArrivalRequest {
  readonly aliases: readonly string[]
  /** Those of them that the command line allows to be streamed. */
  readonly streamed: readonly string[]
  readonly fetch: (
    watch: Required<Pick<FetchInputsRequest, 'onArriving' | 'place'>>,
  ) => Promise<FetchedInput[]>
  readonly drop: () => void
  readonly work: string
  readonly effects: Effects
  readonly log: Log
  /** Duration of an input in seconds, if its beginning gives it. */
  readonly onDuration: (alias: string, seconds: number) => void
}

/**
 * Below this size, an input has arrived before FFmpeg has started, and a command that has to run a
 * second time costs more than was saved.
 */
export const streamedAboveBytes = 8 * 1024 * 1024

export function arrivingInputs(request: ArrivalRequest): ArrivingInputs {
  const { work } = request
  const arrivals = createArrivals()
  const readStart = createStartReader()
  const complete = request.fetch({
    onArriving: arrivals.arrive,
    async place(file, input) {
      const isPiped = arrivals.place(input.alias)
      if (!isPiped) await rename(file.path, join(work, input.path))
      arrivals.complete(input)
      return isPiped ? relative(work, file.path) : input.path
    },
  })
  const decided = untilUsable()
  // A download that fails ends what waits for it.
  const usable = Promise.race([decided, complete.then(() => decided)])
  for (const promise of [complete, decided, usable]) promise.catch(() => undefined)
  return { usable, complete, bytes: arrivals.bytes, drop }

  async function untilUsable(): Promise<UsableInput[]> {
    const { aliases, streamed } = request
    await Promise.all(
      aliases.map((alias) =>
        streamed.includes(alias)
          ? untilReadable(arrivals, readStart, { ...request, alias })
          : arrivals.untilWhole(alias),
      ),
    )
    if (arrivals.completed().some(namesOtherFiles)) await complete
    return Promise.all(aliases.map((alias) => pipedOrWhole(arrivals, alias, request)))
  }

  async function drop(): Promise<void> {
    request.drop()
    await complete.catch(() => undefined)
  }
}

/** Resolves when the input can be read while it comes, or when it is complete. */
async function untilReadable(
  arrivals: Arrivals,
  readStart: ReadStart,
  { alias, onDuration }: Pick<ArrivalRequest, 'onDuration'> & { readonly alias: string },
): Promise<void> {
  let needed = firstBytes
  while (!arrivals.isPlaced(alias)) {
    const file = arrivals.arrival(alias)?.file
    if (file === undefined || file.head < needed) {
      await Promise.race([file?.changed(), arrivals.changed()].filter((wait) => wait !== undefined))
      continue
    }
    if (file.totalBytes !== null && file.totalBytes < streamedAboveBytes) break
    const { version } = file
    const start = await readStart(file.path, needed)
    // The file has its own name by now.
    if (start === null) break
    if (file.version !== version) needed = firstBytes
    // Twice as many as before: small steps would read the same start a thousand times.
    else if (start.kind === 'more') {
      needed = Math.max(start.bytes, Math.min(2 * needed, longestStart))
    } else if (start.kind === 'whole') break
    else {
      if (start.seconds !== null) onDuration(alias, start.seconds)
      return
    }
  }
  await arrivals.untilWhole(alias)
}

async function pipedOrWhole(
  arrivals: Arrivals,
  alias: string,
  { work, effects, log }: Pick<ArrivalRequest, 'work' | 'effects' | 'log'>,
): Promise<UsableInput> {
  const arrival = arrivals.arrival(alias)
  if (arrivals.isPlaced(alias) || arrival === undefined) {
    return wholeInput(await arrivals.untilWhole(alias))
  }
  const { path, file } = arrival
  const settle = (): Promise<void> => rename(file.path, join(work, path))
  arrivals.setPiped(alias, true)
  try {
    await effects.failpoint('transfer.pipe_made', () => makeFifo(join(work, path)))
    return { alias, path, piped: { file, settle } }
  } catch (error) {
    log('warn', 'streaming of an input failed', { alias, error })
    if (arrivals.isPlaced(alias)) await settle()
    arrivals.setPiped(alias, false)
    return wholeInput(await arrivals.untilWhole(alias))
  }
}

function wholeInput({ alias, path }: FetchedInput): UsableInput {
  return { alias, path, piped: null }
}

/** A playlist can lead FFmpeg to another input, which then is read more than once. */
function namesOtherFiles({ path }: FetchedInput): boolean {
  return ['.m3u8', '.m3u', '.mpd', '.txt', '.ffconcat', '.xml', '.sdp', ''].includes(extname(path))
}
