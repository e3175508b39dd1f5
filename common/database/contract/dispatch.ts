import { expect } from 'chai'
import type { Session } from './session.ts'

export function describeDispatch(session: () => Session): void {
  describe('dispatch', () => {
    let store: Session['store']
    let accountId: Session['accountId']
    let age: Session['age']
    let submit: Session['submit']
    let dispatch: Session['dispatch']
    let run: Session['run']
    let row: Session['row']
    beforeEach(() => {
      ;({ store, accountId, age, submit, dispatch, run, row } = session())
    })

    it('leases undispatched rows to one replica at a time', async () => {
      const ids = [await submit(), await submit()]
      const claim = async () =>
        (await store.claimUndispatched({ limit: 1_000, liveLimit: 100_000, leaseSeconds: 30 }))
          .filter((command) => command.accountId === accountId)
          .map((command) => command.commandId)
      expect(await claim()).to.deep.equal(ids)
      expect(await claim()).to.deep.equal([])
      await age(31)
      expect(await claim()).to.deep.equal(ids)
      for (const id of ids) await store.markDispatched(id, `uid-${id}`)
      await age(31)
      expect(await claim()).to.deep.equal([])
    })

    it('claims nothing while as many resources live as may', async () => {
      await dispatch()
      await submit()
      const claimed = await store.claimUndispatched({ limit: 10, liveLimit: 1, leaseSeconds: 1 })
      expect(claimed).to.deep.equal([])
    })

    it('does not let a slow dispatcher replace the resource that is recorded', async () => {
      const commandId = await dispatch()
      await store.markDispatched(commandId, 'late')
      expect((await row(commandId)).resourceUid).to.equal(`uid-${commandId}`)
    })

    it('builds a vanished resource again, with the attempt fenced and a new round', async () => {
      const commandId = await run('pod-1')
      await store.undispatch(commandId, 'another-uid')
      expect((await row(commandId)).attempt).to.equal('pod-1')
      await store.undispatch(commandId, `uid-${commandId}`)
      await store.undispatch(commandId, `uid-${commandId}`)
      expect(await row(commandId)).to.deep.include({
        resourceUid: null,
        attempt: null,
        round: 2,
        lostAttempts: ['pod-1'],
        mirroredVersion: 0,
      })
      const claimed = await store.claimUndispatched({
        limit: 1_000,
        liveLimit: 100_000,
        leaseSeconds: 1,
      })
      expect(claimed.find((command) => command.commandId === commandId)?.round).to.equal(2)
    })
  })
}
