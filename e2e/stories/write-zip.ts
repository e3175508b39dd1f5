import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Makes an archive of files, each under the name that it is to have inside. */
export async function writeZip(target: string, entries: Record<string, string>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, file] of Object.entries(entries)) zip.addFile(file, name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(target))
}
