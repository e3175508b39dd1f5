import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Writes a file compressed beside itself, for a server that sends it as it is. */
export async function compress(file: string, codings: readonly ('gz' | 'br')[]): Promise<void> {
  const content = await readFile(file)
  if (codings.includes('gz')) {
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
  if (codings.includes('br')) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
  }
}
