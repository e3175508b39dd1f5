import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'

/** Writes a file that readers see whole or not at all, also when this process is killed half-way. */
export async function writeFileWhole(
  file: string,
  content: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const partial = `${file}.partial-${randomUUID()}`
  await writeFile(partial, content, options)
  await rename(partial, file)
}
