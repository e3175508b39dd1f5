import { expect } from 'chai'
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { watchSegments } from './segment-watch.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('segments of a playlist that is still written', () => {
  const at = useScratch()

  it('segments are finished once a newer one follows and they stop growing', async () => {
    const { poll } = watchSegments(at())
    await write('p0.ts')
    expect(poll()).to.deep.equal([])
    expect(poll()).to.deep.equal([])
    await write('p1.ts')
    expect(poll()).to.deep.equal([])
    expect(poll()).to.deep.equal(['p0.ts'])
    expect(poll()).to.deep.equal([])
  })

  it('segments are not finished while they still grow', async () => {
    const { poll } = watchSegments(at())
    await write('v0.ts', 'v1.ts')
    for (let turn = 0; turn < 4; turn++) {
      expect(poll()).to.deep.equal([])
      await appendFile(at('v0.ts'), 'more')
    }
  })

  it('segments come in the order of their numbers, or in which they were met', async () => {
    const { poll } = watchSegments(at())
    await write('p9.ts', 'p10.ts', 'p8.ts')
    poll()
    expect(poll().toSorted()).to.deep.equal(['p8.ts', 'p9.ts'])
    await write('20260101.ts')
    poll()
    expect(poll()).to.deep.equal(['p10.ts'])
  })

  it('segments are distinguished by folder and ending', async () => {
    const { poll } = watchSegments(at())
    await mkdir(at('v0'))
    await mkdir(at('v1'))
    await write('v0/p0.ts', 'v0/p1.ts', 'v1/p0.ts', 'v1/p0.vtt')
    poll()
    expect(poll()).to.deep.equal(['v0/p0.ts'])
  })

  it('segments are never manifests, init segments, or names that FFmpeg will change', async () => {
    const { poll } = watchSegments(at())
    await write('a.m3u8', 'b.m3u8', 'a.mpd', 'b.mpd', 'a.m4s.tmp', 'b.m4s.tmp')
    await write('init-stream0.m4s', 'chunk-stream0-00001.m4s', 'chunk-stream0-00002.m4s')
    poll()
    expect(poll()).to.deep.equal(['chunk-stream0-00001.m4s'])
  })

  it('segments are left for the end when their names cannot be stored', async () => {
    const { poll } = watchSegments(at())
    await write('a\n0.ts', 'a\n1.ts', 'b 0.ts', 'b 1.ts')
    poll()
    expect(poll()).to.deep.equal(['b 0.ts'])
  })

  it('the watch survives segments that vanish and a folder that is missing', async () => {
    const { poll } = watchSegments(at('none'))
    expect(poll()).to.deep.equal([])
    const watch = watchSegments(at())
    await write('p0.ts', 'p1.ts')
    watch.poll()
    await rename(at('p0.ts'), at('gone'))
    expect(watch.poll()).to.deep.equal([])
  })

  async function write(...names: string[]): Promise<void> {
    for (const name of names) await writeFile(at(name), name)
  }
})
