import { expect } from 'chai'
import { useStore } from '../../testing/support/database.ts'
import { keyHash } from './secrets.ts'
import { bootstrap } from './bootstrap.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'

describe('bootstrap', () => {
  const store = useStore()
  const deps = { store, effects: systemEffects() }
  const accountOf = async (key: string) => (await store.findKey(keyHash(key)))?.account.name ?? null

  it('creates the account and its key once when several replicas start', async () => {
    const settings = { account: 'default', plan: 'unlimited', apiKey: ' cff_first \n' }
    const all = await Promise.all([1, 2, 3].map(() => bootstrap(deps, settings)))
    expect(new Set(all.map(({ account }) => account.accountId)).size).to.equal(1)
    const found = await store.findKey(keyHash('cff_first'))
    expect(found?.account).to.deep.equal(all[0]?.account)
  })

  it('revokes the key that its Secret held before, and no other key of the account', async () => {
    const start = (apiKey: string | undefined) =>
      bootstrap(deps, { account: 'rotating', plan: 'unlimited', apiKey })
    const { account } = await start('cff_old')
    const sha256 = keyHash('cff_of_a_user')
    await store.ensureApiKey({ accountId: account.accountId, sha256, environmentName: null })
    expect((await start('cff_new')).key).to.deep.equal({ isRevoked: false, replaced: 1 })
    expect(await accountOf('cff_old')).to.equal(null)
    expect(await accountOf('cff_new')).to.equal('rotating')
    expect(await accountOf('cff_of_a_user')).to.equal('rotating')
  })

  it('keeps the key where a start is given none', async () => {
    for (const apiKey of ['cff_kept', undefined, ' ']) {
      await bootstrap(deps, { account: 'keeping', plan: 'unlimited', apiKey })
    }
    expect(await accountOf('cff_kept')).to.equal('keeping')
  })

  it('knows the key of an installation from before keys of the Secret were marked', async () => {
    const { accountId } = await store.ensureAccount({
      accountId: systemEffects().newId(),
      name: 'older',
      plan: 'unlimited',
    })
    const sha256 = keyHash('cff_older')
    await store.ensureApiKey({ accountId, sha256, environmentName: null })
    for (const apiKey of ['cff_older', 'cff_newer']) {
      await bootstrap(deps, { account: 'older', plan: 'unlimited', apiKey })
    }
    expect(await accountOf('cff_older')).to.equal(null)
    expect(await accountOf('cff_newer')).to.equal('older')
  })

  it('bootstrap does not make a key valid again that was revoked, and says so', async () => {
    for (const apiKey of ['cff_one', 'cff_two']) {
      await bootstrap(deps, { account: 'returning', plan: 'unlimited', apiKey })
    }
    const back = await bootstrap(deps, { account: 'returning', plan: 'pro', apiKey: 'cff_one' })
    expect(back.key?.isRevoked).to.equal(true)
    expect(await accountOf('cff_one')).to.equal(null)
  })
})
