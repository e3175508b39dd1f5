import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { PlannedOutput } from '../../../common/command-line/model/plan.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { listFiles } from './list-files.ts'
import { badName, storablePathProblem } from './storable-path.ts'

/** A declared output as it lies on the disk. */
export interface CollectedOutput {
  readonly alias: string
  /** Path of the file itself, or of a playlist's manifest; relative to the working folder. */
  readonly path: string
  /** All files of the output, the ones that others name last. */
  readonly files: readonly CollectedFile[]
  readonly isPlaylist: boolean
}

export interface CollectedFile {
  readonly path: string
  readonly sizeBytes: number
  /** Files of a lower rank are stored first: no reader may meet a manifest before its segments. */
  readonly rank: 0 | 1 | 2
}

/**
 * Finds every declared output. FFmpeg exits 0 although a tee leg, a playlist or a filter's file
 * could not be opened, so its exit code says nothing about them.
 * @param reason why one may be missing; null = unknown
 * @param log path of FFmpeg's log, which may be empty; null = it is not stored
 * @throws Failure MISSING_OUTPUT_FILE naming the first that is absent, empty or not a regular file;
 *   INVALID_COMMAND naming a file of a playlist whose name no storage takes
 */
export async function collectOutputs(
  work: string,
  outputs: readonly PlannedOutput[],
  reason: string | null = null,
  log: string | null = null,
): Promise<CollectedOutput[]> {
  const collected: CollectedOutput[] = []
  for (const output of outputs) {
    const sizeBytes = writtenBytes(work, output, output.path === log)
    if (sizeBytes === null) throw missing(output, reason)
    const { alias, folder, path } = output
    collected.push({
      alias,
      path,
      isPlaylist: folder !== null,
      files:
        folder === null
          ? [{ path, sizeBytes, rank: 0 }]
          : await filesOfPlaylist(work, folder, path),
    })
  }
  return collected
}

/** The first output that is absent, empty or not a regular file; null = there is none. */
export async function firstMissing(
  work: string,
  outputs: readonly PlannedOutput[],
): Promise<PlannedOutput | null> {
  for (const output of outputs) {
    if (writtenBytes(work, output) === null) return output
  }
  return null
}

export function missing(
  { alias, name }: { alias: string; name: string },
  reason: string | null,
): Failure {
  const why = reason === null ? '' : `: ${reason}`
  return new Failure('MISSING_OUTPUT_FILE', `${alias} (${name}) was not written or is empty${why}`)
}

async function filesOfPlaylist(
  work: string,
  folder: string,
  master: string,
): Promise<CollectedFile[]> {
  const files = await listFiles(join(work, folder))
  return files.map((file) => {
    const below = `${folder}/${file.path}`
    const problem = storablePathProblem(below)
    if (problem !== null) throw badName(below, problem)
    return { path: below, sizeBytes: file.sizeBytes, rank: rankOf(below, master) }
  })
}

function rankOf(path: string, master: string): 0 | 1 | 2 {
  if (path === master) return 2
  return /\.(m3u8|mpd)$/.test(path) ? 1 : 0
}

/** @returns null unless a regular file with a single link is there, which may be empty only as a text */
function writtenBytes(work: string, { path, name }: PlannedOutput, isLog = false): number | null {
  const facts = lstatSync(join(work, path), { throwIfNoEntry: false })
  if (facts?.isFile() !== true || facts.nlink !== 1) return null
  return facts.size > 0 || isLog || mayBeEmpty.test(name) ? facts.size : null
}

/** An analysis that finds nothing writes an empty text: `ametadata=print:file=`. */
const mayBeEmpty = /\.(?:txt|json|csv|log|xml)$/i
