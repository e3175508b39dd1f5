import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** An archive of texts and bytes. `mode`: of every entry, a symbolic link's say. */
export async function zipOf(
  entries: Readonly<Record<string, string | Buffer>>,
  mode = 0o100644,
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(Buffer.from(content), name, { mode })
  }
  zip.end()
  return buffer(zip.outputStream)
}
