import { expect } from 'chai'
import type { DispatchFailure } from '../../common/store/dispatch.ts'
import { commitOf, failed, newId } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeDispatch(session: Session): void {
  describe('dispatch', () => {
    const { store, age, submit, dispatch, run, row } = session

    const all = {
      limit: 1_000,
      liveLimit: 100_000,
      lookAhead: 1_000,
      leaseSeconds: 1,
      retries: true,
    }
    const claimable = async (change: Partial<typeof all> = {}) =>
      (await store.claimUndispatched({ ...all, leaseSeconds: 0, ...change }))
        .filter((command) => command.accountId === session.accountId)
        .map(({ commandId, tries }) => [commandId, tries] as const)
    const fail = (commandId: string, change: Partial<DispatchFailure> = {}) =>
      store.recordDispatchFailure({
        commandId,
        tries: 0,
        definite: true,
        error: '500 InternalError',
        retrySeconds: 10,
        ...change,
      })

    it('leases undispatched rows to one replica at a time', async () => {
      const ids = [await submit(), await submit()]
      const claim = async () =>
        (await store.claimUndispatched({ ...all, leaseSeconds: 30 }))
          .filter((command) => command.accountId === session.accountId)
          .map((command) => command.commandId)
      expect(await claim()).to.deep.equal(ids)
      expect(await claim()).to.deep.equal([])
      await age(31)
      expect(await claim()).to.deep.equal(ids)
      for (const id of ids) await store.markDispatched(id, `uid-${id}`)
      await age(31)
      expect(await claim()).to.deep.equal([])
    })

    it('gives each claimed row the one key of the marks, too long to guess', async () => {
      await submit()
      const key = await store.readDispatchKey()
      expect(key).to.have.length.above(20)
      const claimed = await store.claimUndispatched({ ...all, leaseSeconds: 0 })
      expect(claimed.map(({ dispatchKey }) => dispatchKey)).to.include(key)
      expect(new Set(claimed.map(({ dispatchKey }) => dispatchKey)).size).to.equal(1)
      expect(await store.readDispatchKey()).to.equal(key)
    })

    it('claims nothing while as many resources live as may', async () => {
      await dispatch()
      await submit()
      const claimed = await store.claimUndispatched({ ...all, limit: 10, liveLimit: 1 })
      expect(claimed).to.deep.equal([])
    })

    it('the store does not count the resources of ended commands', async () => {
      const ended = await dispatch()
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      const commandId = await submit()
      expect(await claimable({ lookAhead: 1 })).to.deep.equal([[commandId, 0]])
    })

    it('claims as many rows of an account as may wait for admission, stored files apart', async () => {
      await store.importFile({
        fileId: newId(),
        accountId: session.accountId,
        environmentName: null,
        isPrivate: false,
        url: 'https://media.example/clip.mov',
        resourceUid: newId(),
      })
      const ahead = await dispatch()
      const ids = [await submit(), await submit(), await submit()]
      const claimed = async (lookAhead: number) =>
        (await claimable({ lookAhead })).map(([commandId]) => commandId)
      expect(await claimed(3)).to.deep.equal(ids.slice(0, 2))
      expect(await claimed(1)).to.deep.equal([])
      await store.commitOutcome(commitOf(ahead, null, failed('CANCELLED')))
      expect(await claimed(1)).to.deep.equal(ids.slice(0, 1))
    })

    it('claims the first row of each account before the second of any', async () => {
      const crowd = await store.ensureAccount({
        accountId: newId(),
        name: `a${newId()}`,
        plan: 'free',
      })
      const flood = [
        await submit({ accountId: crowd.accountId }),
        await submit({ accountId: crowd.accountId }),
        await submit({ accountId: crowd.accountId }),
      ]
      const own = [await submit(), await submit()]
      const claimed = await store.claimUndispatched({ ...all, leaseSeconds: 0 })
      const places = claimed.map(({ commandId }) => commandId)
      const firsts = [flood[0], own[0]].map((id = '') => places.indexOf(id))
      const seconds = [flood[1], own[1]].map((id = '') => places.indexOf(id))
      expect(Math.min(...firsts)).to.be.at.least(0)
      expect(Math.max(...firsts)).to.be.below(Math.min(...seconds))
    })

    it('claims the first row of an account before the next one of an account whose commands run', async () => {
      const crowd = await store.ensureAccount({
        accountId: newId(),
        name: `a${newId()}`,
        plan: 'free',
      })
      await run(newId())
      const next = await submit()
      const first = await submit({ accountId: crowd.accountId })
      const claimed = await store.claimUndispatched({ ...all, leaseSeconds: 0 })
      const places = claimed.map(({ commandId }) => commandId)
      expect(places.indexOf(first)).to.be.within(0, places.indexOf(next) - 1)
    })

    it('claims the rows of an account by priority, which ages', async () => {
      const old = await submit()
      await age(700)
      const low = await submit({ priority: 'low' })
      const normal = await submit()
      const high = await submit({ priority: 'high' })
      const claimed = (await claimable()).map(([commandId]) => commandId)
      expect(claimed).to.deep.equal([old, high, normal, low])
    })

    it('the store does not let a slow dispatcher replace the resource that is recorded', async () => {
      const commandId = await dispatch()
      await store.markDispatched(commandId, 'late')
      expect((await row(commandId)).resourceUid).to.equal(`uid-${commandId}`)
    })

    it('builds a vanished resource again, with the attempt fenced and a new generation', async () => {
      const commandId = await run('pod-1')
      await store.undispatch(commandId, 'another-uid')
      expect((await row(commandId)).attempt).to.equal('pod-1')
      await store.undispatch(commandId, `uid-${commandId}`)
      await store.undispatch(commandId, `uid-${commandId}`)
      expect(await row(commandId)).to.deep.include({
        resourceUid: null,
        attempt: null,
        jobGeneration: 2,
        lostAttempts: ['pod-1'],
        mirroredVersion: 0,
      })
      const claimed = await store.claimUndispatched(all)
      expect(claimed.find((command) => command.commandId === commandId)?.jobGeneration).to.equal(2)
    })

    it('passes over a row that backs off, so that it does not hide younger ones', async () => {
      const failing = [await submit(), await submit()]
      const young = await submit()
      for (const id of failing) await fail(id)
      expect(await claimable()).to.deep.equal([[young, 0]])
      await age(11)
      expect(await claimable()).to.deep.equal([...failing.map((id) => [id, 1]), [young, 0]])
    })

    it('leaves out rows that have failed before when the claim wants only new ones', async () => {
      const old = await submit()
      const fresh = await submit()
      await fail(old, { retrySeconds: 0 })
      expect(await claimable({ retries: false })).to.deep.equal([[fresh, 0]])
    })

    it('counts the try of one of two dispatchers that had the same row', async () => {
      const commandId = await submit()
      const counted = await Promise.all([fail(commandId), fail(commandId)])
      expect(counted.filter((each) => each !== null)).to.have.length(1)
      expect(await fail(commandId, { tries: 1 })).to.include({ definite: 2 })
    })

    it('measures from the first definite error and counts the definite ones', async () => {
      const commandId = await submit()
      const passing = await fail(commandId, { definite: false })
      expect(passing).to.deep.equal({ definite: 0, errorSeconds: 0 })
      await age(100)
      expect(await fail(commandId, { tries: 1 })).to.include({ definite: 1 })
      await age(30)
      const later = await fail(commandId, { tries: 2, definite: false })
      expect(later?.definite).to.equal(1)
      expect(later?.errorSeconds).to.be.within(30, 60)
      expect((await store.gauges()).dispatchErrorSeconds).to.be.at.least(30)
    })

    it('counts nothing of a row that was dispatched or has ended meanwhile', async () => {
      expect(await fail(await dispatch())).to.equal(null)
      const ended = await submit()
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      expect(await fail(ended)).to.equal(null)
    })

    it('ends the lease with the failure, and forgets failures when the resource is rebuilt', async () => {
      const commandId = await submit()
      await claimable({ leaseSeconds: 1_000 })
      await fail(commandId, { retrySeconds: 0 })
      expect(await claimable()).to.deep.equal([[commandId, 1]])
      await store.markDispatched(commandId, 'uid')
      await store.undispatch(commandId, 'uid')
      expect(await claimable({ retries: false })).to.deep.equal([[commandId, 0]])
    })
  })
}
