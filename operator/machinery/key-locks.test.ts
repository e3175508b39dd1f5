import { expect } from 'chai'
import { createKeyLocks } from './key-locks.ts'

describe('createKeyLocks', () => {
  it('runs work on one key in order, also after a failure, and other keys beside it', async () => {
    const locked = createKeyLocks()
    const done: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = locked('a', async () => {
      await gate.promise
      done.push('first')
      throw new Error('failed')
    })
    const second = locked('a', async () => void done.push('second'))
    await locked('b', async () => void done.push('other'))
    expect(done).to.deep.equal(['other'])
    gate.resolve()
    await second
    expect(done).to.deep.equal(['other', 'first', 'second'])
    expect(await first.catch((error: unknown) => String(error))).to.equal('Error: failed')
    expect(await locked('a', () => Promise.resolve('later'))).to.equal('later')
  })
})
