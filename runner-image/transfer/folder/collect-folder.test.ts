import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { link, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openPromise } from 'yauzl'
import { Failure } from '../../../common/domain/failures.ts'
import { collectFolder } from './collect-folder.ts'
import { takeSnapshot } from './folder-snapshot.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('the zip of all that a command has made', () => {
  const at = useScratch()
  let work: string

  beforeEach(async () => {
    work = at('work')
    await mkdir(at('in'))
    await mkdir(join(work, 'clips/deep'), { recursive: true })
    await writeFile(join(work, 'input.mp4'), 'untouched')
    await writeFile(join(work, 'clips/list.txt'), 'before')
  })

  it('the zip holds what is new or was written to, sub-folders kept, pass logs too', async () => {
    const before = await takeSnapshot(work)
    await writeFile(join(work, 'clips/list.txt'), 'after')
    await writeFile(join(work, 'clips/deep/a.png'), 'png')
    await writeFile(join(work, 'ffmpeg2pass-0.log'), 'log')
    const { record, upload } = await collect(before)
    expect(await contents(upload.source)).to.deep.equal({
      'clips/deep/a.png': 'png',
      'clips/list.txt': 'after',
      'ffmpeg2pass-0.log': 'log',
    })
    expect(record).to.include({
      alias: 'OUTPUT_FOLDER',
      path: 'id.zip',
      sizeBytes: 11,
      fileCount: 3,
    })
  })

  it('the zip holds a file that was written again with the same size', async () => {
    await utimes(join(work, 'clips/list.txt'), 1, 1)
    const before = await takeSnapshot(work)
    await writeFile(join(work, 'clips/list.txt'), 'beford')
    const { upload } = await collect(before)
    expect(await contents(upload.source)).to.deep.equal({ 'clips/list.txt': 'beford' })
  })

  it('the zip holds no links, pipes or sockets, and waits for none of them', async () => {
    const before = await takeSnapshot(work)
    await writeFile(at('secret'), 'token')
    await mkdir(at('secrets'))
    await writeFile(at('secrets/token'), 'token')
    await writeFile(join(work, 'good.txt'), 'good')
    await symlink(at('secret'), join(work, 'link.txt'))
    await symlink(at('secrets'), join(work, 'clips/linked'))
    await link(at('secret'), join(work, 'hard.txt'))
    execFileSync('/usr/bin/mkfifo', [join(work, 'pipe.txt')])
    const server = net.createServer().listen(join(work, 'socket.txt'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const { upload } = await collect(before)
      expect(await contents(upload.source)).to.deep.equal({ 'good.txt': 'good' })
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('names nothing that would leave a folder on Windows', async () => {
    const before = await takeSnapshot(work)
    await writeFile(join(work, '..\\..\\up.txt'), 'x')
    await writeFile(join(work, 'c:drive.txt'), 'y')
    const { upload } = await collect(before)
    expect(await contents(upload.source)).to.deep.equal({ '.._.._up.txt': 'x', 'c_drive.txt': 'y' })
  })

  it('the zip is not made when a name cannot be read', async () => {
    const before = await takeSnapshot(work)
    await writeFile(Buffer.concat([Buffer.from(`${work}/`), Buffer.from([0xc3])]), 'x')
    const failure = await collect(before).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Failure)
    expect(failure).to.include({ status: 'INVALID_COMMAND' })
  })

  for (const [what, make] of [
    ['nothing', async () => undefined],
    ['nothing but an empty file', () => writeFile(join(work, 'empty.txt'), '')],
  ] as const) {
    it(`the zip is missing when the command has made ${what}`, async () => {
      const before = await takeSnapshot(work)
      await make()
      const failure = await collect(before).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Failure)
      expect(failure).to.include({ status: 'MISSING_OUTPUT_FILE' })
    })
  }

  function collect(before: Awaited<ReturnType<typeof takeSnapshot>>) {
    return collectFolder(work, before, 'id', new AbortController().signal)
  }
})

async function contents(path: string): Promise<Record<string, string>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const found: Record<string, string> = {}
  try {
    for await (const entry of zip.eachEntry()) {
      const bytes = await buffer(await zip.openReadStreamPromise(entry))
      found[entry.fileName] = bytes.toString()
    }
  } finally {
    zip.close()
  }
  return found
}
