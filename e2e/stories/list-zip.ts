import { fromBuffer } from 'yauzl'
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
