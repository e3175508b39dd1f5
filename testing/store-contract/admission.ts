import { expect } from 'chai'
import { newId, commitOf } from './fixtures.ts'
import type { Session } from './session.ts'

export function describeAdmission(session: Session): void {
  describe('admission', () => {
    const { store, age, submit, dispatch, admit, run, row } = session

    it('admits the oldest as far as the vCPUs go and shows the others their place', async () => {
      const ids = [
        await dispatch({ vcpuCount: 4 }),
        await dispatch({ vcpuCount: 4 }),
        await dispatch({ vcpuCount: 4 }),
      ]
      expect(await admit(8)).to.deep.equal({
        admitted: ids.slice(0, 2),
        waiting: 1,
        vcpuInUse: 8,
      })
      expect(await admit(8)).to.deep.equal({ admitted: [], waiting: 1, vcpuInUse: 8 })
      const positions = await Promise.all(ids.map(async (id) => (await row(id)).queuePosition))
      expect(positions).to.deep.equal([null, null, 1])
    })

    it('lets a small command pass a large one until that has waited long enough', async () => {
      await dispatch({ vcpuCount: 4 })
      await admit(6)
      await dispatch({ vcpuCount: 4 })
      const small = await dispatch({ vcpuCount: 1 })
      expect((await admit(6, 60)).admitted).to.deep.equal([small])
      await age(61)
      await dispatch({ vcpuCount: 1 })
      expect((await admit(6, 60)).admitted).to.deep.equal([])
    })

    it('waits for dispatch, and leaves what is to be cancelled alone', async () => {
      await submit()
      await store.requestCancel(await dispatch())
      expect((await admit()).admitted).to.deep.equal([])
      const waiting = await store.accountsWaiting(100_000)
      expect(waiting.map((account) => account.accountId)).not.to.include(session.accountId)
    })

    it('names the accounts that wait, the one waiting longest first', async () => {
      await dispatch()
      const first = session.accountId
      const other = { accountId: newId(), name: `b${newId()}`, plan: 'pro' }
      await store.ensureAccount(other)
      await dispatch({ accountId: other.accountId })
      await dispatch()
      const waiting = (await store.accountsWaiting(100_000)).map((account) => account.accountId)
      expect(waiting.filter((id) => id === first || id === other.accountId)).to.deep.equal([
        first,
        other.accountId,
      ])
    })

    it('never admits beyond the quota when replicas admit at once', async () => {
      for (let i = 0; i < 6; i += 1) await dispatch({ vcpuCount: 2 })
      const admissions = await Promise.all([admit(4), admit(4), admit(4), admit(4)])
      expect(admissions.flatMap((admission) => admission.admitted)).to.have.length(2)
      expect(Math.max(...admissions.map((admission) => admission.vcpuInUse))).to.equal(4)
    })

    it('obeys the limit of live Jobs', async () => {
      const live = (await store.gauges()).ledgerVcpus
      for (let i = 0; i < 3; i += 1) await dispatch({ vcpuCount: 1 })
      const limit = { accountId: session.accountId, vcpuLimit: null, passSeconds: 1 }
      expect((await store.admit({ ...limit, liveJobLimit: 0 })).admitted).to.deep.equal([])
      expect((await store.gauges()).ledgerVcpus).to.equal(live)
    })

    it('frees the vCPUs once, and only after the end', async () => {
      const commandId = await run('pod-1', { vcpuCount: 3 })
      expect(await store.releaseQuota(commandId)).to.equal(false)
      await store.commitOutcome(commitOf(commandId, 'pod-1'))
      expect((await admit()).vcpuInUse).to.equal(3)
      expect(await store.releaseQuota(commandId)).to.equal(true)
      expect(await store.releaseQuota(commandId)).to.equal(false)
      expect((await admit()).vcpuInUse).to.equal(0)
    })
  })
}
