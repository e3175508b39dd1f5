import { lstatSync } from 'node:fs'
import { candidates } from './landlock-rules.ts'
import type { Candidate, JobFolders } from './landlock-rules.ts'

/**
 * The paths for which the sandbox can have a rule in this container. Synchronous: the self-test
 * waits for nothing else, and every command for the self-test.
 */
export function existingPaths(folders: JobFolders): ReadonlySet<string> {
  return new Set(
    candidates(folders)
      .filter(isThere)
      .map(({ path }) => path),
  )
}

function isThere({ path, onlyUnlinked }: Candidate): boolean {
  try {
    // An error that is made and thrown for each missing path costs more than all the stat calls.
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat !== undefined && !(onlyUnlinked && stat.isSymbolicLink())
  } catch {
    // the image or the kernel does not have it: a rule for it would be an error
    return false
  }
}
