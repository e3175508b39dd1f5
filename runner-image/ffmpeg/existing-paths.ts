import { lstat } from 'node:fs/promises'
import { candidates } from './landlock-rules.ts'
import type { Candidate, JobFolders } from './landlock-rules.ts'

/** The paths for which the sandbox can have a rule in this container. */
export async function existingPaths(folders: JobFolders): Promise<ReadonlySet<string>> {
  const all = candidates(folders)
  const there = await Promise.all(all.map(isThere))
  return new Set(all.filter((_, index) => there[index]).map(({ path }) => path))
}

async function isThere({ path, onlyUnlinked }: Candidate): Promise<boolean> {
  try {
    const stat = await lstat(path)
    return !(onlyUnlinked && stat.isSymbolicLink())
  } catch {
    // an image or a kernel without it: the rule would be an error, so there is none
    return false
  }
}
