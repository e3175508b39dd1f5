import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** Folders of system commands that a shell opened by `su` may lack in its PATH. */
export const systemFolders = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

/** Absolute path of a command, from PATH, then from the system's folders, then from `more`. */
export async function findCommand(
  name: string,
  more: readonly string[] = [],
): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => each !== '')
  for (const folder of [...folders, ...systemFolders, ...more]) {
    const candidate = path.join(folder, name)
    try {
      await access(candidate, constants.X_OK)
      return candidate
    } catch {
      // not in this folder
    }
  }
  return undefined
}
