import { mkdir, symlink } from 'node:fs/promises'
import { join, basename } from 'node:path'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { fontFolderSuffix } from '../../../common/command-line/model/input-path.ts'

/**
 * Makes the folders that a command writes to; FFmpeg makes none itself.
 * @param folders relative to `work`
 * @throws Failure INVALID_COMMAND where a file has the name, from a zip or an earlier command
 */
export async function makeFolders(work: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await mkdir(join(work, folder), { recursive: true })
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOTDIR', 'ENAMETOOLONG')) throw error
      throw new Failure('INVALID_COMMAND', sentence(folder, hasCode(error, 'ENAMETOOLONG')), {
        cause: error,
      })
    }
  }
}

function sentence(folder: string, isTooLong: boolean): string {
  const why = isTooLong ? 'its name is too long' : 'there is a file of that name'
  return `The command writes to the folder '${folder}', which cannot be made: ${why}`
}

/**
 * Gives each font a folder beside it that holds nothing else. libass reads all files of the folder
 * of `fontsdir` into memory, so it must not get the inputs' folder.
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
