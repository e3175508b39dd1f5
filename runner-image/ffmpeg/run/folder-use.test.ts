import { expect } from 'chai'
import { mkdir, open, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { folderUse, isDiskFull } from './folder-use.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('the use of a folder', () => {
  const at = useScratch()

  it('counts everything below, and follows no link', async () => {
    await mkdir(at('a/b'), { recursive: true })
    await writeFile(at('a/b/file'), megabyte)
    await symlink('/', at('a/root'))
    const use = await folderUse(at(), 100)
    expect(use.entries).to.equal(4)
    expect(use.bytes).to.be.within(1_000_000, 1_100_000)
    expect(use.freeBytes).to.be.greaterThan(0)
  })

  it('a disk is not taken for full while there is room', async () => {
    expect(await isDiskFull(at())).to.equal(false)
    // nothing can be written there, and it says 0 files of 0
    expect(await isDiskFull('/proc')).to.equal(true)
  })

  it('the measurement stops counting above the limit', async () => {
    for (let index = 0; index < 20; index += 1) await writeFile(at(String(index)), '')
    expect((await folderUse(at(), 19)).entries).to.equal(20)
    expect((await folderUse(at(), 5)).entries).to.equal(6)
    await mkdir(at('below'))
    await writeFile(at('below/one'), megabyte)
    expect((await folderUse(at(), 20)).bytes).to.be.lessThan(megabyte.length)
  })

  it('counts what lies deeper than any path can name', async () => {
    const half = Array.from({ length: 8 }, () => 'd'.repeat(255)).join('/')
    await mkdir(at(half), { recursive: true })
    await using opened = await open(at(half))
    const further = `/proc/self/fd/${String(opened.fd)}/${half}`
    await mkdir(further, { recursive: true })
    await writeFile(path.join(further, 'file'), megabyte)
    const use = await folderUse(at(), 100)
    // before `rm` meets it, which cannot remove it
    await rm(path.join(further, '..'), { recursive: true })
    expect(use.entries).to.equal(17)
    expect(use.bytes).to.be.greaterThan(1_000_000)
  })

  it('counts files and folders whose names are not text', async () => {
    const cut = Buffer.from([0x2f, 0x61, 0xc3])
    const below = Buffer.concat([Buffer.from(at()), cut])
    await mkdir(below)
    await writeFile(Buffer.concat([below, cut]), megabyte)
    const use = await folderUse(at(), 100)
    expect(use.entries).to.equal(2)
    expect(use.bytes).to.be.greaterThan(1_000_000)
  })

  it('rejects, instead of returning 0, when a folder cannot be read', async () => {
    await writeFile(at('file'), megabyte)
    const measured = folderUse(at('file'), 100)
    expect(await measured.catch((error: unknown) => error)).to.be.instanceOf(Error)
  })
})

const megabyte = Buffer.alloc(1_000_000, 1)
