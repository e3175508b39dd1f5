import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandPlan } from '../../../common/command-line/model/plan.ts'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import { heifItem } from '../../contents/heif-item.ts'
import type { HeifItem } from '../../contents/heif-item.ts'
import { readingFile } from '../../contents/read-bytes.ts'
import { openRegularFile } from '../runtime/regular-file.ts'
import type { UsableInput } from '../streamed/arriving-inputs.ts'
import type { Supervisor } from '../supervisor/supervisor-link.ts'
import type { Execution } from './execution.ts'
import { isGrid, tileGraphArgv, needsStreams } from './tile-graph.ts'

/**
 * Puts one PNG in the place of each input that is a picture of tiles: the photo of an iPhone, of
 * which FFmpeg 7.1 takes one tile for the whole. An input whose tiles cannot be joined stays.
 */
export async function joinTiles(
  inputs: readonly UsableInput[],
  plan: CommandPlan,
  execution: Execution,
): Promise<UsableInput[]> {
  const joined: UsableInput[] = []
  for (const input of inputs) {
    const item = input.piped === null ? tiledPicture(join(execution.work, input.path)) : null
    const isWanted = item !== null && !plan.steps.some((step) => needsStreams(step, input.alias))
    joined.push(isWanted ? await joinInput(input, item, execution) : input)
  }
  return joined
}

/** @returns null if the file is another one */
function tiledPicture(file: string): HeifItem | null {
  const item = readingFile(file, heifItem)
  return item !== null && isGrid(item) ? item : null
}

async function joinInput(
  input: UsableInput,
  item: HeifItem,
  { assignment, effects, log, signal, supervisor, warnings, work }: Execution,
): Promise<UsableInput> {
  const { alias, path } = input
  const { fileBytes, scratchBytes, fileCount, maxPixels } = assignment.limits
  const { width, height } = item.size
  if (width * height > maxPixels / bytesOfJoining) {
    log('info', 'a picture of tiles is too large to be joined', { alias, width, height })
    warnings.add([oneTile(alias)])
    return input
  }
  // FFmpeg writes below the working folder alone; no output has this name.
  const made = `${effects.newId()}.png`
  const argv = tileGraphArgv(item, path, made)
  const { maxRunSeconds } = assignment
  const limits = { seconds: maxRunSeconds, fileBytes, scratchBytes, fileCount }
  const run: Parameters<Supervisor['run']>[0] = { step: 0, argv, limits, outputs: [], log: null }
  try {
    const { code, tail } = await (await supervisor).run(run, unwatched, signal)
    signal.throwIfAborted()
    const opened = code === 0 ? openRegularFile(join(work, made)) : null
    if (opened === null) {
      log('info', 'the tiles of a picture were not joined', { alias, code, tail })
      warnings.add([oneTile(alias)])
      return input
    }
    const whole = `${path}.png`
    await effects
      .failpoint('transfer.tiles_joined', () =>
        // Copied: the two folders are mounts, across which nothing is renamed.
        copyFile(`/proc/self/fd/${String(opened.fd)}`, join(work, whole)),
      )
      .finally(() => opened.close())
    return { ...input, path: whole }
  } finally {
    await rm(join(work, made), { force: true })
  }
}

function oneTile(alias: string): CommandWarning {
  return {
    code: 'TILED_PICTURE',
    message: `${alias} is a picture of tiles that could not be joined, so that FFmpeg read one tile; convert it to JPEG or PNG first`,
    alias,
  }
}

const unwatched = { onProgress: () => undefined, onStderr: () => undefined }

/** Limits count 16 bytes of memory for a pixel that is decoded; tiles and their whole take twice that. */
const bytesOfJoining = 2
