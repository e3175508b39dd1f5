import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface ListedFile {
  /** Relative to the listed folder, with slashes. */
  readonly path: string
  readonly sizeBytes: number
}

/**
 * Regular files with a single name below a folder, sub-folders kept, in the order of their paths.
 * Links, pipes and sockets are passed over, links to folders too.
 */
export async function listFiles(folder: string): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  await walk(folder, '', found)
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function walk(folder: string, below: string, found: ListedFile[]): Promise<void> {
  for (const name of await readdir(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`
    const facts = await lstat(join(folder, path))
    if (facts.isDirectory()) await walk(folder, path, found)
    else if (facts.isFile() && facts.nlink === 1) found.push({ path, sizeBytes: facts.size })
  }
}
