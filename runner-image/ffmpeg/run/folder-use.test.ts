import { expect } from 'chai'
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises'
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
    await writeFile(path.join(folder, 'a/b/file'), megabyte)
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
    expect((await folderUse(folder, 19)).entries).to.equal(20)
    expect((await folderUse(folder, 5)).entries).to.equal(6)
    await mkdir(path.join(folder, 'below'))
    await writeFile(path.join(folder, 'below/one'), megabyte)
    expect((await folderUse(folder, 20)).bytes).to.be.lessThan(megabyte.length)
  })

  it('counts what lies deeper than any path can name', async () => {
    const half = Array.from({ length: 8 }, () => 'd'.repeat(255)).join('/')
    await mkdir(path.join(folder, half), { recursive: true })
    await using opened = await open(path.join(folder, half))
    const further = `/proc/self/fd/${String(opened.fd)}/${half}`
    await mkdir(further, { recursive: true })
    await writeFile(path.join(further, 'file'), megabyte)
    const use = await folderUse(folder, 100)
    // before `rm` meets it, which cannot remove it
    await rm(path.join(further, '..'), { recursive: true })
    expect(use.entries).to.equal(17)
    expect(use.bytes).to.be.greaterThan(1_000_000)
  })

  it('counts files and folders whose names are not text', async () => {
    const cut = Buffer.from([0x2f, 0x61, 0xc3])
    const below = Buffer.concat([Buffer.from(folder), cut])
    await mkdir(below)
    await writeFile(Buffer.concat([below, cut]), megabyte)
    const use = await folderUse(folder, 100)
    expect(use.entries).to.equal(2)
    expect(use.bytes).to.be.greaterThan(1_000_000)
  })

  it('is unknown, not nothing, when a folder cannot be read', async () => {
    await writeFile(path.join(folder, 'file'), megabyte)
    const measured = folderUse(path.join(folder, 'file'), 100)
    expect(await measured.catch((error: unknown) => error)).to.be.instanceOf(Error)
  })
})

const megabyte = Buffer.alloc(1_000_000, 1)
