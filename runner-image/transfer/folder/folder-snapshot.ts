import { lstatSync } from 'node:fs'
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
  return new Map(files.map(({ path }) => [path, identity(join(folder, path))] as const))
}

/** Files that are new or were written since; in the order of their paths. */
export async function changedFiles(folder: string, before: FolderSnapshot): Promise<ListedFile[]> {
  const files = await listFiles(folder)
  return files.filter(({ path }) => before.get(path) !== identity(join(folder, path)))
}

function identity(path: string): string {
  const { ino, size, mtimeNs } = lstatSync(path, { bigint: true })
  return `${String(ino)} ${String(size)} ${String(mtimeNs)}`
}
