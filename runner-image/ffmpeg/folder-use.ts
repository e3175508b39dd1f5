import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderUse {
  /** Blocks on disk of everything below. */
  readonly bytes: number
  /** Files and folders below; counting stops above the limit given. */
  readonly entries: number
  /** Left on the file system, whatever else uses it. */
  readonly freeBytes: number
}

/**
 * Measures a folder that another process is writing to: what vanishes meanwhile is left out.
 * @param mostEntries stop counting there, so that a flood of files does not keep this process busy
 */
export async function folderUse(folder: string, mostEntries: number): Promise<FolderUse> {
  const { bavail, bsize } = await statfs(folder)
  const counted = { bytes: 0, entries: 0 }
  await add(folder)
  return { ...counted, freeBytes: bavail * bsize }

  async function add(path: string): Promise<void> {
    const entries = await unlessGone(opendir(path))
    if (entries === null) return
    for await (const entry of entries) {
      counted.entries += 1
      if (counted.entries > mostEntries) return
      const child = join(path, entry.name)
      const stat = await unlessGone(lstat(child))
      if (stat === null) continue
      counted.bytes += stat.blocks * 512
      if (stat.isDirectory()) await add(child)
    }
  }
}

/** Whether the file system of a folder has no room for another file, or next to none for bytes. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // some file systems do not count files and say 0 of 0
  return bavail * bsize < 1024 * 1024 || (files > 0 && ffree === 0)
}

async function unlessGone<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
