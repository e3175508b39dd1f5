import { expect } from 'chai'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withLock } from './lock.ts'

describe('a lock', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lock-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('lets one holder in at a time and leaves no file', async () => {
    const file = path.join(folder, 'lock')
    let inside = 0
    let most = 0
    let release: () => void = () => undefined
    const otherWaits = new Promise<void>((resolve) => (release = resolve))
    const enter = () =>
      withLock(file, release, async () => {
        most = Math.max(most, ++inside)
        await otherWaits
        inside--
      })
    await Promise.all([enter(), enter()])
    expect(most).to.equal(1)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('makes the folder that it lies in', async () => {
    const file = path.join(folder, 'never', 'seen', 'lock')
    expect(await enters(file)).to.equal(true)
  })

  it('is taken over from a holder that died', async () => {
    const file = path.join(folder, 'lock')
    await writeFile(file, JSON.stringify({ pid: process.pid, started: 'another life' }))
    expect(await enters(file)).to.equal(true)
    expect(await readdir(folder)).to.deep.equal([])
  })

  async function enters(file: string): Promise<boolean> {
    return withLock(
      file,
      () => undefined,
      async () => true,
    )
  }
})
