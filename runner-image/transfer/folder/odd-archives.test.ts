import { expect } from 'chai'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { listFiles } from '../outputs/list-files.ts'
import { unpackArchive } from './unpack-archive.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const limits = { fileBytes: 1024 ** 2, scratchBytes: 1024 ** 2, fileCount: 10 }
const plain = { mode: 0o100644 }

describe('an archive of an odd tool', () => {
  const scratch = useScratch()
  let target: string

  beforeEach(async () => {
    target = scratch('work')
    await mkdir(target)
  })

  it('an archive is read with an entry for its root, as Dropbox writes it', async () => {
    const zip = await zipOf({ 'r/': '', 'a.png': 'a', 'b/c.png': 'c' })
    expect(await unpacked(replaced(zip, 'r/', '//'))).to.deep.equal(['a.png', 'b/c.png'])
  })

  it('an archive is read with names that begin with a dot and a slash', async () => {
    const zip = await zipOf({ 'x/a.png': 'a', 'x/b.png': 'b' })
    expect(await unpacked(replaced(zip, 'x/', './'))).to.deep.equal(['a.png', 'b.png'])
  })

  it('an archive is read with folders that have no slash, and the same folder twice', async () => {
    const zip = await zipOf({ folderA: '', folderB: '', 'folderA/a.png': 'a', 'b.png': 'b' })
    const twice = replaced(zip, 'folderB', 'folderA')
    expect(await unpacked(twice)).to.deep.equal(['b.png', 'folderA/a.png'])
  })

  it('an archive is read with names in code page 437', async () => {
    const zip = await zipOf({ 'gr__e.png': 'x' })
    const named = replaced(zip, 'gr__e', Buffer.from([0x67, 0x72, 0x94, 0xe1, 0x65]))
    expect(await unpacked(named)).to.deep.equal(['größe.png'])
  })

  it('an archive is read with names in UTF-8 that its flag does not announce', async () => {
    const zip = await zipOf({ 'größe.png': 'x' })
    expect(await unpacked(withoutFlags(zip))).to.deep.equal(['größe.png'])
  })

  it("an archive is read with names in Info-ZIP's field for Unicode", async () => {
    const name = 'gr__e.png'
    const field = Buffer.alloc(9)
    field.writeUInt16LE(0x7075, 0)
    field.writeUInt16LE(5 + Buffer.byteLength('größe.png'), 2)
    field.writeUInt8(1, 4)
    field.writeUInt32LE(crc32(name), 5)
    const extra = Buffer.concat([field, Buffer.from('größe.png')])
    expect(await unpacked(withExtraField(await zipOf({ [name]: 'x' }), extra))).to.deep.equal([
      'größe.png',
    ])
  })

  it('an archive is read with backslashes between its folders', async () => {
    const zip = await zipOf({ 'a__b.png': 'x', 'a__c.png': 'y' })
    expect(await unpacked(replaced(zip, 'a__', 'a\\_'))).to.deep.equal(['a/_b.png', 'a/_c.png'])
  })

  it('an archive is read without what macOS and Windows add, which is not counted', async () => {
    const files = Array.from({ length: 10 }, (_, index) => `${String(index)}.png`)
    const added = files.map((name) => `__MACOSX/._${name}`)
    const all = [...files, ...added, '._0.png', '.DS_Store', 'Thumbs.db']
    const zip = await zipOf(Object.fromEntries(all.map((name) => [name, 'x'])))
    expect(await unpacked(zip)).to.deep.equal(files)
  })

  it('an archive is read with names with and without a common top folder', async () => {
    const zip = await zipOf({ 'clips/a.png': 'a', 'clips/b/c.png': 'c' })
    expect(await unpacked(zip)).to.deep.equal(['clips/a.png', 'clips/b/c.png'])
    for (const name of ['clips/a.png', 'a.png']) expect(await read(name)).to.equal('a')
    for (const name of ['clips/b/c.png', 'b/c.png']) expect(await read(name)).to.equal('c')
  })

  it('keeps a folder that has the name of the folder around it', async () => {
    const zip = await zipOf({ 'a/a/1.png': 'x', 'a/2.png': 'y' })
    expect(await unpacked(zip)).to.deep.equal(['a/2.png', 'a/a/1.png'])
    expect(await read('2.png')).to.equal('y')
  })

  it('an archive is read from a stream: sizes behind each entry', async () => {
    const zip = new ZipFile()
    zip.addReadStream(Readable.from([Buffer.from('abc')]), 'a.png', plain)
    zip.end()
    expect(await unpacked(await buffer(zip.outputStream))).to.deep.equal(['a.png'])
  })

  it('an archive is read with 64-bit records', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('abc'), 'a.png', { ...plain, forceZip64Format: true })
    zip.end({ forceZip64Format: true, comment: '' })
    const bytes = await buffer(zip.outputStream)
    expect(await unpacked(bytes)).to.deep.equal(['a.png'])
  })

  it('an archive is read with a comment', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('abc'), 'a.png', plain)
    zip.end({ forceZip64Format: false, comment: 'made by a tool' })
    expect(await unpacked(await buffer(zip.outputStream))).to.deep.equal(['a.png'])
  })

  for (const [where, front, behind] of [
    ['in front', 'MZ a program that unpacks itself', ''],
    ['behind', '', '\r\n\r\n'],
    ['on both sides', 'MZ a program', '\0\0\0'],
  ] as const) {
    it(`an archive is read with bytes ${where}`, async () => {
      const zip = await zipOf({ 'a.png': 'a', 'b/c.png': 'c'.repeat(5_000) })
      const bytes = Buffer.concat([Buffer.from(front), zip, Buffer.from(behind)])
      expect(await unpacked(bytes)).to.deep.equal(['a.png', 'b/c.png'])
      expect(await read('b/c.png')).to.equal('c'.repeat(5_000))
    })
  }

  it('an archive is read with 64-bit records behind other bytes', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('abc'), 'a.png', { ...plain, forceZip64Format: true })
    zip.end({ forceZip64Format: true, comment: '' })
    const bytes = Buffer.concat([Buffer.from('MZ'), await buffer(zip.outputStream)])
    expect(await unpacked(bytes)).to.deep.equal(['a.png'])
  })

  async function unpacked(zip: Uint8Array): Promise<string[]> {
    const archive = scratch('a.zip')
    await writeFile(archive, zip)
    const request = { archive, alias: 'in_zip', target, limits }
    await unpackArchive(request, new AbortController().signal)
    return (await listFiles(target)).map(({ path }) => path)
  }

  function read(name: string): Promise<string> {
    return readFile(join(target, name), 'utf8')
  }
})

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name, { mode: 0o040755 })
    else zip.addBuffer(Buffer.from(text), name, plain)
  }
  zip.end()
  return buffer(zip.outputStream)
}

/** Both headers of each entry change; the names have the same length. */
function replaced(zip: Buffer, from: string, to: string | Buffer): Buffer {
  const text = Buffer.from(to).toString('latin1')
  return Buffer.from(zip.toString('latin1').replaceAll(from, text), 'latin1')
}

/** Clears the general purpose flags in the central header of the only entry. */
function withoutFlags(zip: Buffer): Buffer {
  const copy = Buffer.from(zip)
  copy.writeUInt16LE(0, copy.indexOf('PK\u0001\u0002') + 8)
  return copy
}

/** Adds a field to the central header of the only entry. */
function withExtraField(zip: Buffer, extra: Buffer): Buffer {
  const header = zip.indexOf('PK\u0001\u0002')
  const nameEnd = header + 46 + zip.readUInt16LE(header + 28)
  const copy = Buffer.concat([zip.subarray(0, nameEnd), extra, zip.subarray(nameEnd)])
  copy.writeUInt16LE(extra.length, header + 30)
  const end = copy.lastIndexOf('PK\u0005\u0006')
  copy.writeUInt32LE(copy.readUInt32LE(end + 12) + extra.length, end + 12)
  return copy
}
