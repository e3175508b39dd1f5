import { stat } from 'node:fs/promises'
import { folderAlias } from './job.ts'
import { UsageError } from './usage-error.ts'

/**
 * Before anything is uploaded or run.
 * @throws UsageError where a result could not be written at its end
 */
export async function checkOutputs(
  outputs: ReadonlyMap<string, string>,
  overwrite: boolean,
): Promise<void> {
  if (outputs.has(folderAlias) && outputs.size > 1) {
    throw new UsageError(`${folderAlias} stands for all outputs; name no other beside it`)
  }
  for (const [alias, file] of outputs) {
    const found = await stat(file).catch(() => null)
    if (file.endsWith('/') || found?.isDirectory()) {
      throw new UsageError(`${alias}: ${file} is a folder, name a file in it`)
    }
    if (found !== null && !overwrite) {
      throw new UsageError(`${alias}: ${file} exists already; -y replaces it`)
    }
  }
}
