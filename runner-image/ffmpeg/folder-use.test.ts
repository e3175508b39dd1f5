import { expect } from 'chai'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { folderUse, isDiskFull } from './folder-use.ts'

describe('the use of a folder', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'use-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('counts everything below, and follows no link', async () => {
    await mkdir(path.join(folder, 'a/b'), { recursive: true })
    await writeFile(path.join(folder, 'a/b/file'), Buffer.alloc(1_000_000, 1))
    await symlink('/', path.join(folder, 'a/root'))
    const use = await folderUse(folder, 100)
    expect(use.entries).to.equal(4)
    expect(use.bytes).to.be.within(1_000_000, 1_100_000)
    expect(use.freeBytes).to.be.greaterThan(0)
  })

  it('is not that of a full disk while there is room', async () => {
    expect(await isDiskFull(folder)).to.equal(false)
    // nothing can be written there, and it says 0 files of 0
    expect(await isDiskFull('/proc')).to.equal(true)
  })

  it('stops counting above the limit', async () => {
    for (let index = 0; index < 20; index += 1)
      await writeFile(path.join(folder, String(index)), '')
    expect((await folderUse(folder, 5)).entries).to.equal(6)
  })
})
