import { expect } from 'chai'
import { useStore } from '../../testing/support/database.ts'
import { keyHash } from './secrets.ts'
import { bootstrap } from './bootstrap.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'

describe('bootstrap', () => {
  const store = useStore()
  const deps = { store, effects: systemEffects() }

  it('creates the account and its key once when several replicas start', async () => {
    const settings = { account: 'default', plan: 'unlimited', apiKey: ' cff_first \n' }
    const accounts = await Promise.all([1, 2, 3].map(() => bootstrap(deps, settings)))
    expect(new Set(accounts.map(({ accountId }) => accountId)).size).to.equal(1)
    const found = await store.findKey(keyHash('cff_first'))
    expect(found?.account).to.deep.equal(accounts[0])
  })

  it('adds a rotated key beside the old one', async () => {
    for (const apiKey of ['cff_old', 'cff_new', undefined]) {
      await bootstrap(deps, { account: 'rotating', plan: 'unlimited', apiKey })
    }
    for (const key of ['cff_old', 'cff_new']) {
      expect((await store.findKey(keyHash(key)))?.account.name).to.equal('rotating')
    }
  })
})
