import { expect } from 'chai'
import { readdir, writeFile } from 'node:fs/promises'
import { withLock } from './lock.ts'
import { useScratch } from '../../testing/support/scratch.ts'

describe('a lock', () => {
  const at = useScratch()

  it('lets one holder in at a time and leaves no file', async () => {
    const file = at('lock')
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
    expect(await readdir(at())).to.deep.equal([])
  })

  it('makes the folder that it lies in', async () => {
    const file = at('never', 'seen', 'lock')
    expect(await enters(file)).to.equal(true)
  })

  it('a lock is taken over from a holder that died', async () => {
    const file = at('lock')
    await writeFile(file, JSON.stringify({ pid: process.pid, started: 'another life' }))
    expect(await enters(file)).to.equal(true)
    expect(await readdir(at())).to.deep.equal([])
  })

  async function enters(file: string): Promise<boolean> {
    return withLock(
      file,
      () => undefined,
      async () => true,
    )
  }
})
