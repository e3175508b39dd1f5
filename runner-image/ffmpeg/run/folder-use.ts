import { closeSync, constants, lstatSync, openSync, readdirSync, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'

export interface FolderUse {
  /** Blocks on disk of everything below. */
  readonly bytes: number
  /** Files and folders below; counting stops above the limit given. */
  readonly entries: number
  /** Free on the file system, with all its users counted. */
  readonly freeBytes: number
}

/**
 * Measures a folder that another process is writing to: entries that vanish meanwhile are left out.
 * Runs synchronously, but in portions: with threads 10,000 files take 0.2 s of CPU time, which
 * FFmpeg needs, instead of 0.03, and the first few, at the end of a short command, up to 5 ms
 * instead of 0.2.
 * @param mostEntries stop counting there, so that a very large number of files does not keep this
 * process busy
 * @throws if the folder cannot be measured, which is never the same as an empty one
 */
export async function folderUse(folder: string, mostEntries: number): Promise<FolderUse> {
  const { bavail, bsize } = statfsSync(folder)
  const counted = { bytes: 0, entries: 0 }
  await add(Buffer.from(folder))
  return { ...counted, freeBytes: bavail * bsize }

  async function add(path: Buffer): Promise<void> {
    if (path.length <= longestPath) return addEntries(path)
    // FFmpeg names files from its own folder on: in front of that, a path can exceed what the kernel takes.
    const opened = unlessGone(() => openSync(path, folderOnly))
    if (opened === null) return
    try {
      await addEntries(Buffer.from(`/proc/self/fd/${String(opened)}`))
    } finally {
      closeSync(opened)
    }
  }

  async function addEntries(path: Buffer): Promise<void> {
    const below: Buffer[] = []
    for (const name of namesIn(path)) {
      counted.entries += 1
      if (counted.entries > mostEntries) return
      if (counted.entries % portion === 0) await othersTurn()
      const child = Buffer.concat([path, Buffer.from(`/${name}`, 'latin1')])
      const stat = lstatSync(child, { throwIfNoEntry: false })
      counted.bytes += (stat?.blocks ?? 0) * 512
      if (stat?.isDirectory() === true) below.push(child)
    }
    for (const child of below) await add(child)
  }
}

/** Whether the file system of a folder has no room for another file, or next to none for bytes. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // some file systems do not count files and say 0 of 0
  return bavail * bsize < 1024 * 1024 || (files > 0 && ffree === 0)
}

/** A name of up to 255 bytes fits behind it: the kernel takes paths of 4,095. */
const longestPath = 2048
const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Half a millisecond of stat calls. */
const portion = 100

/**
 * Names are bytes: FFmpeg cuts long ones within a character, and a text would not lead back to the
 * file. Read as Latin-1 they stay what they are, in a third of the memory that Buffers take.
 */
function namesIn(folder: Buffer): readonly string[] {
  return unlessGone(() => readdirSync(folder, 'latin1')) ?? []
}

function unlessGone<T>(question: () => T): T | null {
  try {
    return question()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
