import { expect } from 'chai'
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchSegments } from './segment-watch.ts'

describe('segments of a playlist that is still written', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'segments-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are finished once a newer one follows and they stop growing', async () => {
    const { look } = watchSegments(folder)
    await write('p0.ts')
    expect(await look()).to.deep.equal([])
    expect(await look()).to.deep.equal([])
    await write('p1.ts')
    expect(await look()).to.deep.equal([])
    expect(await look()).to.deep.equal(['p0.ts'])
    expect(await look()).to.deep.equal([])
  })

  it('are not finished while they still grow', async () => {
    const { look } = watchSegments(folder)
    await write('v0.ts', 'v1.ts')
    for (let turn = 0; turn < 4; turn++) {
      expect(await look()).to.deep.equal([])
      await appendFile(join(folder, 'v0.ts'), 'more')
    }
  })

  it('come in the order of their numbers, or in which they were met', async () => {
    const { look } = watchSegments(folder)
    await write('p9.ts', 'p10.ts', 'p8.ts')
    await look()
    expect((await look()).toSorted()).to.deep.equal(['p8.ts', 'p9.ts'])
    await write('20260101.ts')
    await look()
    expect(await look()).to.deep.equal(['p10.ts'])
  })

  it('are distinguished by folder and ending', async () => {
    const { look } = watchSegments(folder)
    await mkdir(join(folder, 'v0'))
    await mkdir(join(folder, 'v1'))
    await write('v0/p0.ts', 'v0/p1.ts', 'v1/p0.ts', 'v1/p0.vtt')
    await look()
    expect(await look()).to.deep.equal(['v0/p0.ts'])
  })

  it('are never manifests, init segments, or names that FFmpeg will change', async () => {
    const { look } = watchSegments(folder)
    await write('a.m3u8', 'b.m3u8', 'a.mpd', 'b.mpd', 'a.m4s.tmp', 'b.m4s.tmp')
    await write('init-stream0.m4s', 'chunk-stream0-00001.m4s', 'chunk-stream0-00002.m4s')
    await look()
    expect(await look()).to.deep.equal(['chunk-stream0-00001.m4s'])
  })

  it('are left for the end when their names cannot be stored', async () => {
    const { look } = watchSegments(folder)
    await write('a\n0.ts', 'a\n1.ts', 'b 0.ts', 'b 1.ts')
    await look()
    expect(await look()).to.deep.equal(['b 0.ts'])
  })

  it('may vanish, and the folder may be missing', async () => {
    const { look } = watchSegments(join(folder, 'none'))
    expect(await look()).to.deep.equal([])
    const watch = watchSegments(folder)
    await write('p0.ts', 'p1.ts')
    await watch.look()
    await rename(join(folder, 'p0.ts'), join(folder, 'gone'))
    expect(await watch.look()).to.deep.equal([])
  })

  async function write(...names: string[]): Promise<void> {
    for (const name of names) await writeFile(join(folder, name), name)
  }
})
