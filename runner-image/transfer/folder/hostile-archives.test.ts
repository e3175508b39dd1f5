import { expect } from 'chai'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { Failure } from '../../../common/domain/failures.ts'
import { unpackArchive } from './unpack-archive.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const megabyte = 1024 ** 2
const limits = { fileBytes: 5 * megabyte, scratchBytes: 6 * megabyte, fileCount: 10_000 }

describe('a hostile archive', () => {
  const scratch = useScratch()
  let target: string

  beforeEach(async () => {
    target = scratch('work')
    await mkdir(target)
  })

  /** Replacement of the name `NAME______` in both headers; the lengths are the same. */
  const names: [string, string | Buffer, string][] = [
    ['leads outside', '../../up.t', '"../../up.t" leads out of the archive'],
    ['leads outside from within', 'a/../../up', '"a/../../up" leads out of the archive'],
    ['is absolute', '/etc/x.txt', '"/etc/x.txt" has an absolute name'],
    ['leads outside by backslashes', '..\\..\\up.t', '"../../up.t" leads out of the archive'],
    ['looks like an option', '-i_____.tx', '"-i_____.tx" begins with a dash'],
    [
      'has control characters',
      'a\u001b[31m.txt',
      '"a\\u001b[31m.txt" has control characters in its name',
    ],
    ['has a NUL', 'a.mp4\0.txt', '"a.mp4\\u0000.txt" has control characters in its name'],
  ]
  for (const [what, name, reason] of names) {
    it(`an archive is refused when a name ${what}`, async () => {
      const zip = await zipOf([['NAME______', 'x']])
      expect(await refusal(replaced(zip, 'NAME______', name))).to.deep.equal([
        'INVALID_INPUT_FILE',
        `in_zip: ${reason}`,
      ])
      expect(await readdir(scratch())).to.deep.equal(['work'])
    })
  }

  for (const [what, mode] of [
    ['a symbolic link', 0o120777],
    ['a character device', 0o020666],
    ['a block device', 0o060666],
    ['a pipe', 0o010666],
    ['a socket', 0o140666],
  ] as const) {
    it(`an archive is refused when an entry is ${what}`, async () => {
      expect(await refusal(await zipOf([['a', '/etc/passwd']], mode))).to.deep.equal([
        'INVALID_INPUT_FILE',
        'in_zip: "a" is a link or a device',
      ])
    })
  }

  it('an archive is refused when it is encrypted', async () => {
    const zip = await zipOf([['a.txt', 'x']])
    // bit 0 of the general purpose flags, in the local and in the central header (APPNOTE 4.4.4)
    for (const [signature, offset] of [
      ['PK\u0003\u0004', 6],
      ['PK\u0001\u0002', 8],
    ] as const) {
      const at = zip.indexOf(Buffer.from(signature, 'latin1')) + offset
      zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at)
    }
    expect(await refusal(zip)).to.deep.equal(['INVALID_INPUT_FILE', 'in_zip: "a.txt" is encrypted'])
  })

  it('a hostile archive is refused when its folders are deep', async () => {
    const [status, message] = await refusal(await zipOf([[`${'d/'.repeat(17)}a`, 'x']]))
    expect([status, message]).to.deep.equal([
      'INVALID_INPUT_FILE',
      `in_zip: "${'d/'.repeat(17)}a" lies deeper than 16 folders`,
    ])
  })

  it('an archive is refused when a file lies below a file', async () => {
    expect(
      await refusal(
        await zipOf([
          ['a', 'x'],
          ['a/b', 'y'],
        ]),
      ),
    ).to.deep.equal(['INVALID_INPUT_FILE', 'in_zip: two entries have the same name'])
  })

  it('an archive is refused with 70,000 entries before anything is written', async () => {
    expect(await refusal(crowdedZip(70_000))).to.deep.equal([
      'INVALID_INPUT_FILE',
      'in_zip: more than 10000 entries',
    ])
    expect(await readdir(target)).to.deep.equal([])
  })

  it('an archive is given up at the limit with 20 MB of zeros, and its header is not trusted', async () => {
    const zip = await zipOf([['zeros', Buffer.alloc(20 * megabyte)]])
    expect(zip.length).to.be.lessThan(megabyte / 10)
    expect(await refusal(zip)).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_zip: over 5 MB unpacked, which is what the plan allows',
    ])
  })

  it('an archive is refused with the reason when it does not fit the working disk', async () => {
    const zip = await zipOf([['zeros', Buffer.alloc(7 * megabyte)]])
    expect(await refusal(zip, { ...limits, fileBytes: null })).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_zip: does not fit the working disk of 6 MB unpacked',
    ])
  })

  async function refusal(zip: Uint8Array, allowed: typeof unlimited = limits) {
    const archive = scratch('a.zip')
    await writeFile(archive, zip)
    try {
      const request = { archive, alias: 'in_zip', target, limits: allowed }
      await unpackArchive(request, new AbortController().signal)
    } catch (error) {
      if (error instanceof Failure) return [error.status, error.message]
      throw error
    }
    throw new Error('it was unpacked')
  }
})

const unlimited: { fileBytes: number | null; scratchBytes: number; fileCount: number } = limits

async function zipOf(
  entries: readonly (readonly [string, string | Buffer])[],
  mode = 0o100644,
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name, { mode })
  zip.end()
  return buffer(zip.outputStream)
}

function replaced(zip: Buffer, from: string, to: string | Buffer): Buffer {
  const text = Buffer.from(to).toString('latin1')
  if (text.length !== from.length) throw new Error(`'${text}' is not as long as '${from}'`)
  return Buffer.from(zip.toString('latin1').replaceAll(from, text), 'latin1')
}

/** Empty files, with the larger records that more than 65,535 of them need (APPNOTE 4.3.14). */
function crowdedZip(count: number): Buffer {
  const local = Buffer.alloc(31)
  local.write('PK\u0003\u0004', 'latin1')
  local.writeUInt16LE(1, 26)
  local.write('a', 30)
  const central = Buffer.alloc(47)
  central.write('PK\u0001\u0002', 'latin1')
  central.writeUInt16LE(1, 28)
  central.write('a', 46)
  const size = central.length * count
  const end64 = Buffer.alloc(56)
  end64.write('PK\u0006\u0006', 'latin1')
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(local.length), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\u0006\u0007', 'latin1')
  locator.writeBigUInt64LE(BigInt(local.length + size), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22, 0xff)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt32LE(0, 4)
  end.writeUInt16LE(0, 20)
  const entries = Array.from({ length: count }, () => central)
  return Buffer.concat([local, ...entries, end64, locator, end])
}
