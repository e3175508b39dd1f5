import { expect } from 'chai'
import { newId } from './fixtures.ts'
import type { Session } from './session.ts'

export function describeAccounts(session: () => Session): void {
  describe('accounts and keys', () => {
    let store: Session['store']
    let accountId: Session['accountId']
    beforeEach(() => {
      ;({ store, accountId } = session())
    })

    it('keeps the account that has the name already', async () => {
      const name = `a${newId()}`
      const first = await store.ensureAccount({ accountId: newId(), name, plan: 'pro' })
      const second = await store.ensureAccount({ accountId: newId(), name, plan: 'free' })
      expect(second).to.deep.equal(first)
      expect(await store.findAccountByName(name)).to.deep.equal(first)
      expect(await store.findAccountByName('nobody')).to.equal(null)
    })

    it('finds a key by its hash, the same after it was added twice', async () => {
      const sha256 = Buffer.alloc(32, newId())
      const key = { accountId, sha256, environmentName: 'staging' }
      await store.ensureApiKey(key)
      await store.ensureApiKey({ ...key, environmentName: 'other' })
      const found = await store.findKey(sha256)
      expect(found?.account.accountId).to.equal(accountId)
      expect(found?.environmentName).to.equal('staging')
      expect(await store.findKey(Buffer.alloc(32))).to.equal(null)
    })
  })
}
