import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** Archives that no service may unpack, by what is wrong with them. */
export async function hostileArchives(): Promise<ReadonlyMap<string, Buffer>> {
  const zeros = Buffer.alloc(64 * 1024 ** 2)
  const many = Array.from({ length: 10_050 }, (_, index): [string, string] => [
    `${String(index)}.txt`,
    'x',
  ])
  return new Map([
    ['a name above', renamed(await zipOf({ NAME______: 'x' }), '../../up.t')],
    ['an absolute name', renamed(await zipOf({ NAME______: 'x' }), '/etc/x.txt')],
    ['a name with backslashes', renamed(await zipOf({ NAME______: 'x' }), '..\\..\\up.t')],
    ['an option for a name', renamed(await zipOf({ NAME______: 'x' }), '-i_____.tx')],
    ['a link to a file', await zipOf({ 'in.mp4': '/etc/passwd' }, 0o120777)],
    ['a device', await zipOf({ 'in.mp4': '' }, 0o020666)],
    ['a pipe', await zipOf({ 'in.mp4': '' }, 0o010666)],
    ['ten thousand entries and more', await zipOf(Object.fromEntries(many))],
    ['half of an archive', (await zipOf({ 'a.txt': zeros.subarray(0, 5000) })).subarray(0, 60)],
    ['an archive that is a film', Buffer.from('RIFF....AVI ')],
  ])
}

/** Replaces a name in both headers; the lengths are the same. */
function renamed(zip: Buffer, name: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll('NAME______', name), 'latin1')
}

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
