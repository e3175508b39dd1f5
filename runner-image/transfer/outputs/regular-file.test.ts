import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { link, mkdir, symlink, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { Failure } from '../../../common/domain/failures.ts'
import { collectOutputs } from './collect-outputs.ts'
import { listFiles } from './list-files.ts'
import { openRegularFile } from '../runtime/regular-file.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe("files that FFmpeg's container left behind", () => {
  const at = useScratch()
  let work: string
  let socket: net.Server

  beforeEach(async () => {
    work = at('work')
    await mkdir(join(work, 'folder'), { recursive: true })
    await mkdir(at('secrets'))
    await writeFile(at('secrets/token'), 'secret')
    await writeFile(join(work, 'good.mp4'), 'made')
    await writeFile(join(work, 'folder/part.ts'), 'part')
    await writeFile(join(work, 'empty.mp4'), '')
    await writeFile(join(work, 'empty.TXT'), '')
    await symlink(at('secrets/token'), join(work, 'link.mp4'))
    await symlink(at('secrets'), join(work, 'linked'))
    await link(at('secrets/token'), join(work, 'hard.mp4'))
    execFileSync('/usr/bin/mkfifo', [join(work, 'pipe.mp4')])
    socket = net.createServer().listen(join(work, 'socket.mp4'))
    await new Promise((resolve) => socket.once('listening', resolve))
  })
  afterEach(async () => {
    await new Promise((resolve) => socket.close(resolve))
  })

  it("opens regular files that FFmpeg's container left behind", async () => {
    const opened = openRegularFile(join(work, 'good.mp4'))
    expect(opened?.sizeBytes).to.equal(4)
    opened?.close()
  })

  for (const name of [
    'link.mp4',
    'linked/token',
    'hard.mp4',
    'pipe.mp4',
    'socket.mp4',
    'folder',
    'absent.mp4',
  ]) {
    it(`transfer does not open ${name} that FFmpeg's container left behind`, () => {
      expect(openRegularFile(join(work, name))).to.equal(null)
    })
  }

  it('lists regular files alone', async () => {
    expect((await listFiles(work)).map(({ path }) => path)).to.deep.equal([
      'empty.TXT',
      'empty.mp4',
      'folder/part.ts',
      'good.mp4',
    ])
  })

  for (const name of ['link.mp4', 'hard.mp4', 'pipe.mp4', 'empty.mp4', 'absent.mp4', 'folder']) {
    it(`an output that is left as ${name} is a missing one`, async () => {
      const output = { alias: 'out_1', name, path: name, folder: null, step: 0 }
      const error = await collectOutputs(work, [output]).catch((caught: unknown) => caught)
      expect(error instanceof Failure && error.message).to.equal(
        `out_1 (${name}) was not written or is empty`,
      )
    })
  }

  it('texts without bytes are outputs, which an analysis that finds nothing writes', async () => {
    const output = { alias: 'out_1', name: 'empty.TXT', path: 'empty.TXT', folder: null, step: 0 }
    expect((await collectOutputs(work, [output]))[0]?.files).to.deep.equal([
      { path: 'empty.TXT', sizeBytes: 0, rank: 0 },
    ])
  })

  it('segments belong to their playlist, the manifests last', async () => {
    await mkdir(join(work, 'out_playlist_1/v0'), { recursive: true })
    for (const path of ['master.m3u8', 'v0/part.m3u8', 'v0/part0.ts', 'init.mp4']) {
      await writeFile(join(work, 'out_playlist_1', path), path)
    }
    const [output] = await collectOutputs(work, [
      {
        alias: 'out_playlist_1',
        name: 'master.m3u8',
        path: 'out_playlist_1/master.m3u8',
        folder: 'out_playlist_1',
        step: 0,
      },
    ])
    expect(output?.files.map(({ path, rank }) => [path, rank])).to.deep.equal([
      ['out_playlist_1/init.mp4', 0],
      ['out_playlist_1/master.m3u8', 2],
      ['out_playlist_1/v0/part.m3u8', 1],
      ['out_playlist_1/v0/part0.ts', 0],
    ])
  })
})
