import { fromBuffer } from 'yauzl'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Entry } from 'yauzl'

/** Names of the files in a zip archive at a URL. */
export async function listZip(url: string): Promise<string[]> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (error !== null) return reject(error)
      const names: string[] = []
      zip.on('entry', ({ fileName }: Entry) => names.push(fileName))
      zip.once('end', () => resolve(names))
      zip.once('error', reject)
    })
  })
}

/** Makes an archive of files, each under the name that it is to have inside. */
export async function writeZip(target: string, entries: Record<string, string>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, file] of Object.entries(entries)) zip.addFile(file, name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(target))
}
