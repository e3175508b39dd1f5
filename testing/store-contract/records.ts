import { expect } from 'chai'
import { newId } from './fixtures.ts'
import type { Session } from './session.ts'

export function describeAccounts(session: Session): void {
  describe('accounts and keys', () => {
    const { store } = session

    it('keeps the account that has the name already', async () => {
      const name = `a${newId()}`
      const first = await store.ensureAccount({ accountId: newId(), name, plan: 'pro' })
      const second = await store.ensureAccount({ accountId: newId(), name, plan: 'free' })
      expect(second).to.deep.equal(first)
      expect(await store.findAccountByName(name)).to.deep.equal(first)
      expect(await store.findAccountByName('absent')).to.equal(null)
    })

    it('finds a key by its hash, the same after it was added twice', async () => {
      const sha256 = Buffer.alloc(32, newId())
      const key = { accountId: session.accountId, sha256, environmentName: 'staging' }
      await store.ensureApiKey(key)
      await store.ensureApiKey({ ...key, environmentName: 'other' })
      const found = await store.findKey(sha256)
      expect(found?.account.accountId).to.equal(session.accountId)
      expect(found?.environmentName).to.equal('staging')
      expect(await store.findKey(Buffer.alloc(32))).to.equal(null)
    })
  })
}

export function describeFigures(session: Session): void {
  describe('figures', () => {
    const { store, age, submit, run } = session

    it('measures what waits', async () => {
      const before = await store.gauges()
      await submit({ vcpuCount: 5 })
      await run('pod-1', { vcpuCount: 3 })
      await age(100)
      const gauges = await store.gauges()
      expect(gauges.queuedVcpus - before.queuedVcpus).to.equal(5)
      expect(gauges.ledgerVcpus - before.ledgerVcpus).to.equal(3)
      expect(gauges.byStatus['PROCESSING']).to.equal((before.byStatus['PROCESSING'] ?? 0) + 1)
      expect(gauges.undispatchedSeconds).to.be.at.least(100)
      expect(gauges.oldestQueuedSeconds).to.be.at.least(100)
      expect(gauges.unmirroredSeconds).to.be.at.least(100)
    })
  })
}
