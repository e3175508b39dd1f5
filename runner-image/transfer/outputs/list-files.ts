import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { badName } from './storable-path.ts'

export interface ListedFile {
  /** Relative to the listed folder, with slashes. */
  readonly path: string
  readonly sizeBytes: number
}

/**
 * Regular files with a single name below a folder, sub-folders kept, in the order of their paths.
 * Links, pipes and sockets are passed over, links to folders too. Synchronous in portions, for the
 * reason of `openRegularFile`.
 * @throws Failure INVALID_COMMAND for a name that is not UTF-8, or a path too long to be opened
 */
export async function listFiles(folder: string): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  await walk(folder, '', found)
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function walk(folder: string, below: string, found: ListedFile[]): Promise<void> {
  let looked = 0
  for (const bytes of readdirSync(join(folder, below), { encoding: 'buffer' })) {
    looked += 1
    if (looked % portion === 0) await othersTurn()
    const name = bytes.toString()
    const path = below === '' ? name : `${below}/${name}`
    // FFmpeg cuts long names in the middle of a character: decoded as text they match no file.
    if (!isUtf8(bytes)) throw badName(path, 'is not UTF-8')
    const facts = lstatNamed(join(folder, path), path)
    if (facts.isDirectory()) await walk(folder, path, found)
    else if (facts.isFile() && facts.nlink === 1) found.push({ path, sizeBytes: facts.size })
  }
}

/** Half a millisecond of lstat calls. */
const portion = 200

function lstatNamed(file: string, path: string): Stats {
  try {
    return lstatSync(file)
  } catch (error) {
    if (hasCode(error, 'ENAMETOOLONG')) throw badName(path, 'is too long to be opened')
    throw error
  }
}
