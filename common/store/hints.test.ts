import { expect } from 'chai'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { withHints } from './hints.ts'
import type { Hint } from './hints.ts'

describe('withHints', () => {
  function hinting(commitOutcome: () => Promise<string>) {
    const given: Hint[] = []
    const unused = () => Promise.resolve('unused')
    const store = {
      commitOutcome,
      admit: unused,
      claimAttempt: unused,
      storeProgress: unused,
      loseAttempt: unused,
      importRefused: unused,
      requestCancel: unused,
      pause: unused,
      resume: unused,
      findCommand: (commandId: string) => Promise.resolve(commandId),
    }
    return { given, store: withHints(store, (hint) => given.push(hint)) }
  }

  it('gives hints after a change and not before', async () => {
    const commit = Promise.withResolvers<string>()
    const { given, store } = hinting(() => commit.promise)
    const committed = store.commitOutcome()
    expect(given).to.deep.equal([])
    commit.resolve('done')
    expect(await committed).to.equal('done')
    expect(given).to.deep.equal(['mirror', 'webhooks', 'dispatch'])
  })

  it('gives none after a change that failed, nor after a read', async () => {
    const { given, store } = hinting(() => Promise.reject(new Error('away')))
    expect(await rejectionOf(store.commitOutcome())).to.be.an('error')
    expect(await store.findCommand('id')).to.equal('id')
    expect(given).to.deep.equal([])
  })
})
