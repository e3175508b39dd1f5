import { lstat, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Tools pack a folder, or what is in it: names in a command work with and without the folder that all entries have in
 * common. Links are not outputs, so a folder is not stored twice.
 */
export async function linkCommonFolder(target: string): Promise<void> {
  const [only, ...others] = await readdir(target)
  if (only === undefined || others.length > 0) return
  if (!(await lstat(join(target, only))).isDirectory()) return
  for (const name of await readdir(join(target, only))) {
    // A folder in a folder of the same name keeps it.
    if (name !== only) await symlink(join(only, name), join(target, name))
  }
}
