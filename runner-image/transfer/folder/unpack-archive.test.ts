import { expect } from 'chai'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { Failure } from '../../../common/domain/failures.ts'
import { listFiles } from '../outputs/list-files.ts'
import { unpackArchive } from './unpack-archive.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const limits = { fileBytes: 1024 ** 2, scratchBytes: 1024 ** 2, fileCount: 10 }

describe("unpacking a customer's zip", () => {
  const scratch = useScratch()
  let archive: string
  let target: string

  beforeEach(async () => {
    archive = scratch('a.zip')
    target = scratch('work')
    await mkdir(target)
  })

  it('keeps the tree and deletes the archive', async () => {
    expect(await unpack(await zipOf({ 'list.txt': 'abc', 'frames/001.png': 'png' }))).to.equal(6)
    expect((await listFiles(target)).map(({ path }) => path)).to.deep.equal([
      'frames/001.png',
      'list.txt',
    ])
    expect(await readFile(join(target, 'list.txt'), 'utf8')).to.equal('abc')
    expect(await exists(archive)).to.equal(false)
  })

  it('unpacking a zip ignores stored modes', async () => {
    await unpack(await zipOf({ 'run.sh': 'x' }, 0o104777))
    expect((await stat(join(target, 'run.sh'))).mode & 0o7777).to.equal(0o644)
  })

  it('refuses a link, and names it', async () => {
    expect(await refusal(await zipOf({ link: '/etc/passwd' }, 0o120777))).to.deep.equal([
      'INVALID_INPUT_FILE',
      'in_zip: "link" is a link or a device',
    ])
  })

  it('refuses a name that leads outside', async () => {
    const zip = await zipOf({ 'aaaaaaaaa.txt': 'x' })
    const [status] = await refusal(renamed(zip, 'aaaaaaaaa.txt', '../../out.txt'))
    expect([status, await exists(scratch('../out.txt'))]).to.deep.equal([
      'INVALID_INPUT_FILE',
      false,
    ])
  })

  it('refuses two entries of one name', async () => {
    const zip = await zipOf({ 'a.txt': 'x', 'b.txt': 'y' })
    expect(await refusal(renamed(zip, 'b.txt', 'a.txt'))).to.deep.equal([
      'INVALID_INPUT_FILE',
      'in_zip: two entries have the same name',
    ])
  })

  it('counts what is inflated, not what the header says', async () => {
    const [status, message] = await refusal(await zipOf({ zeros: '\0'.repeat(2 * 1024 ** 2) }))
    expect([status, message]).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_zip: over 1 MB unpacked, which is what the plan allows',
    ])
  })

  it('refuses a header that lies about the size', async () => {
    const zip = await zipOf({ zeros: '\0'.repeat(100_000) })
    const lying = Buffer.from(zip)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(100_000)
    const small = Buffer.alloc(4)
    small.writeUInt32LE(10)
    for (let at = lying.indexOf(size); at !== -1; at = lying.indexOf(size)) small.copy(lying, at)
    expect((await refusal(lying))[0]).to.equal('INVALID_INPUT_FILE')
  })

  const deep = { 'a/b/c/d/1.txt': 'x', 'a/b/c/d/2.txt': 'x', 'a/b/c/e/3.txt': 'x' }

  it('counts each folder that names need once', async () => {
    expect(await unpack(await zipOf(deep))).to.equal(3)
  })

  it('refuses folders and files that are too many together', async () => {
    const zip = await zipOf({ ...deep, 'f/g/4.txt': 'x' })
    expect((await refusal(zip))[1]).to.equal('in_zip: more than 10 entries')
  })

  it('refuses too many entries', async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${String(n)}`, 'x']))
    expect((await refusal(await zipOf(many)))[1]).to.equal('in_zip: more than 10 entries')
  })

  for (const [what, bytes] of [
    ['text', Buffer.from('not a zip')],
    ['nothing', Buffer.alloc(0)],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await refusal(bytes)).to.deep.equal([
        'INVALID_INPUT_FILE',
        'in_zip: not a zip archive that can be read',
      ])
    })
  }

  it('refuses a cut archive', async () => {
    const zip = await zipOf({ 'a.txt': 'x'.repeat(10_000) })
    expect((await refusal(zip.subarray(0, zip.length - 40)))[0]).to.equal('INVALID_INPUT_FILE')
  })

  async function unpack(zip: Uint8Array): Promise<number> {
    await writeFile(archive, zip)
    return unpackArchive({ archive, alias: 'in_zip', target, limits }, new AbortController().signal)
  }

  async function refusal(zip: Uint8Array): Promise<[string, string]> {
    try {
      await unpack(zip)
    } catch (error) {
      if (error instanceof Failure) return [error.status, error.message]
      throw error
    }
    throw new Error('it was unpacked')
  }

  async function exists(path: string): Promise<boolean> {
    return stat(path).then(
      () => true,
      () => false,
    )
  }
})

async function zipOf(files: Record<string, string>, mode = 0o100644): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(text), name, { mode })
  }
  zip.end()
  return buffer(zip.outputStream)
}

/** Both headers of the entry change; the names have the same length. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}
