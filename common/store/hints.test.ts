import { expect } from 'chai'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { systemClock } from '../runtime/system-effects.ts'
import { withHints } from './hints.ts'
import type { Hint } from './hints.ts'
import type { MemoryStoreOptions } from '../../testing/simulator/memory-store/memory-store.ts'

describe('withHints', () => {
  function hinting(after: Required<MemoryStoreOptions>['after']) {
    const given: Hint[] = []
    const store = createMemoryStore({ clock: systemClock, after })
    return { given, store: withHints(store, (hint) => given.push(hint)) }
  }

  it('gives hints after a change and not before', async () => {
    const committed = Promise.withResolvers<void>()
    const { given, store } = hinting(() => committed.promise)
    const resumed = store.resume({ what: 'dispatch' })
    expect(given).to.deep.equal([])
    committed.resolve()
    expect(await resumed).to.equal(false)
    expect(given).to.deep.equal(['pauses', 'dispatch', 'webhooks'])
  })

  it('gives none after a change that failed, nor after a read', async () => {
    const { given, store } = hinting((method) => {
      if (method === 'pause') throw new Error('away')
    })
    expect(await rejectionOf(store.pause({ what: 'dispatch' }, 'upgrade'))).to.be.an('error')
    await store.readPauses()
    expect(given).to.deep.equal([])
  })
})
