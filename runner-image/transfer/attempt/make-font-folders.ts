import { mkdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fontFolderSuffix } from '../../../common/command-line/model/input-path.ts'
import { hasCode } from '../../../common/runtime/error-code.ts'

/**
 * Gives each font a folder beside it that holds nothing else. libass reads all that lies in the folder of
 * `fontsdir` into memory, so that of the inputs would not do.
 * @param fonts paths relative to `work`
 */
export async function makeFontFolders(work: string, fonts: readonly string[]): Promise<void> {
  for (const font of fonts) {
    const folder = join(work, `${font}${fontFolderSuffix}`)
    await mkdir(folder, { recursive: true })
    try {
      await symlink(`../${basename(font)}`, join(folder, basename(font)))
    } catch (error) {
      // made for an earlier step
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}
