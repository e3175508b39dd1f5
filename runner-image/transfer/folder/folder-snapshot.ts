import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '../outputs/list-files.ts'
import type { ListedFile } from '../outputs/list-files.ts'

/**
 * The contents of the working folder before FFmpeg ran: identity, size and time of each file by
 * path.
 */
export type FolderSnapshot = ReadonlyMap<string, string>

export async function takeSnapshot(folder: string): Promise<FolderSnapshot> {
  const files = await listFiles(folder)
  return new Map(
    await Promise.all(
      files.map(async ({ path }) => [path, await identity(join(folder, path))] as const),
    ),
  )
}

/** Files that are new or were written since; in the order of their paths. */
export async function changedFiles(folder: string, before: FolderSnapshot): Promise<ListedFile[]> {
  const files = await listFiles(folder)
  const changed = await Promise.all(
    files.map(async ({ path }) => before.get(path) !== (await identity(join(folder, path)))),
  )
  return files.filter((_file, index) => changed[index])
}

async function identity(path: string): Promise<string> {
  const { ino, size, mtimeNs } = await lstat(path, { bigint: true })
  return `${String(ino)} ${String(size)} ${String(mtimeNs)}`
}
