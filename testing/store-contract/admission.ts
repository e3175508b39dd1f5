import { expect } from 'chai'
import { unlimited } from '../support/admit-waiting.ts'
import { newId, commitOf, failed } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeAdmission(session: Session): void {
  describe('admission', () => {
    const { store, age, submit, dispatch, admit, admitWithin, run, row } = session

    const found = async (heads = 16, accountId = session.accountId) =>
      (await store.findWaiting({ heads })).find((account) => account.accountId === accountId)

    /** @returns the id of work on a stored file, dispatched */
    const fileWork = async () => {
      const fileId = newId()
      const { accountId } = session
      const file = { fileId, accountId, environmentName: null, isPrivate: false }
      const url = 'https://media.example/a.mov'
      await store.importFile({ ...file, url, resourceUid: `uid-${fileId}` })
      return fileId
    }
    const vcpusInUse = async () => {
      const running = (await store.findWaiting({ heads: 1 })).flatMap((account) => account.running)
      return running.reduce((sum, { vcpuCount }) => sum + Math.max(1, vcpuCount), 0)
    }

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

    it('admission waits for dispatch, and leaves what is to be cancelled alone', async () => {
      await submit()
      await store.requestCancel(await dispatch(), 'administrator')
      expect((await admit()).admitted).to.deep.equal([])
      expect(await found()).to.equal(undefined)
    })

    it('counts the commands and the files of an account that wait, and what runs', async () => {
      const { accountId } = session
      await run(newId())
      const waits = [await submit(), await dispatch()]
      await fileWork()
      const ended = await submit()
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      const commands = await store.readQueue(accountId, 'commands')
      expect(commands).to.include({ queued: waits.length, running: 1, meanSeconds: null })
      expect(await store.readQueue(accountId, 'files')).to.include({ queued: 1, running: 1 })
    })

    it('names the accounts that wait, each with its oldest commands first', async () => {
      const first = await dispatch()
      const other = { accountId: newId(), name: `b${newId()}`, plan: 'pro' }
      await store.ensureAccount(other)
      const others = await dispatch({ accountId: other.accountId })
      const second = await dispatch()
      const ids = (await found())?.waiting.map(({ commandId }) => commandId)
      expect(ids).to.deep.equal([first, second])
      const account = await found(16, other.accountId)
      expect(account).to.deep.include({ ...other, usedVcpuSeconds: 0, reason: null, running: [] })
      expect(account?.waiting.map(({ commandId }) => commandId)).to.deep.equal([others])
    })

    it('names no more than the heads of each lane, and all that run', async () => {
      const running = [await dispatch(), await dispatch()]
      await admit()
      const commands = [await dispatch(), await dispatch(), await dispatch()]
      const files = [await fileWork(), await fileWork(), await fileWork()]
      await age(5)
      const account = await found(2)
      const ids = account?.waiting.map(({ commandId }) => commandId)
      expect(ids).to.have.members([...commands.slice(0, 2), ...files.slice(0, 2)])
      expect(account?.running.map(({ commandId }) => commandId)).to.have.members(running)
      expect(account?.running[0]).to.include({ isEnding: false, isStarting: true })
      expect(account?.running[0]?.runningSeconds).to.be.at.least(5)
      expect(account?.waiting[0]?.waitedSeconds).to.be.at.least(5)
    })

    it('names what starts: what no runner has, for half a minute from the start of its generation', async () => {
      const [slow, claimed, ended] = [await dispatch(), await dispatch(), await dispatch()]
      await admit()
      const starting = async () =>
        (await found())?.running
          .filter(({ isStarting }) => isStarting)
          .map(({ commandId }) => commandId)
      expect(await starting()).to.have.members([slow, claimed, ended])
      const podUid = newId()
      await store.claimAttempt({ commandId: claimed, jobGeneration: 1, podUid })
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      await dispatch()
      expect(await starting()).to.deep.equal([slow])
      await age(15)
      expect(await starting()).to.deep.equal([slow])
      await age(20)
      expect(await starting()).to.deep.equal([])
    })

    it('orders the commands of an account by priority, which ages, in the pass and in admission', async () => {
      const one = { vcpuCount: 1 }
      const old = await dispatch(one)
      await age(700)
      const low = await dispatch({ ...one, priority: 'low' })
      const normal = await dispatch(one)
      const high = await dispatch({ ...one, priority: 'high' })
      const order = (await found())?.waiting.map(({ commandId }) => commandId)
      expect(order).to.deep.equal([old, high, normal, low])
      const positions = await Promise.all(
        [old, high, normal, low].map(async (id) => (await row(id)).queuePosition),
      )
      expect(positions).to.deep.equal([1, 2, 3, 4])
      await age(1_300)
      const late = await dispatch({ ...one, priority: 'high' })
      expect((await admit(3)).admitted).to.deep.equal([old, high, normal])
      expect((await admit(5)).admitted).to.deep.equal([low, late])
    })

    it('admits only the given commands', async () => {
      const [, second] = [await dispatch(), await dispatch()]
      const { accountId } = session
      const request = { ...unlimited, accountId, commandIds: [second] }
      expect(await store.admit(request)).to.deep.include({ admitted: [second], waiting: 0 })
      expect((await store.admit(request)).admitted).to.deep.equal([])
    })

    it('admission obeys the limits of Jobs of the account, work on files apart from commands', async () => {
      const commands = [await dispatch(), await dispatch()]
      const files = [await fileWork(), await fileWork(), await fileWork()]
      const limits = { jobLimit: 1, fileJobLimit: 2 }
      expect((await admitWithin(limits)).admitted).to.have.members([
        ...commands.slice(0, 1),
        ...files.slice(0, 2),
      ])
      expect((await admitWithin(limits)).admitted).to.deep.equal([])
    })

    it('the store never admits beyond the capacity when replicas admit for many accounts at once', async () => {
      const before = await vcpusInUse()
      const accounts = Array.from({ length: 6 }, () => ({
        accountId: newId(),
        name: `c${newId()}`,
        plan: 'pro',
      }))
      const chosen: { accountId: string; commandIds: string[] }[] = []
      for (const account of accounts) {
        await store.ensureAccount(account)
        const { accountId } = account
        chosen.push({ accountId, commandIds: [await dispatch({ accountId, vcpuCount: 2 })] })
      }
      const capacityVcpus = before + 5
      // Opens as many connections as the admissions use, which would otherwise begin one by one.
      await Promise.all(chosen.map(() => store.findWaiting({ heads: 1 })))
      const admissions = await Promise.all(
        [...chosen, ...chosen].map((each) => store.admit({ ...unlimited, ...each, capacityVcpus })),
      )
      expect(admissions.flatMap(({ admitted }) => admitted)).to.have.length(2)
      expect(await vcpusInUse()).to.equal(before + 4)
    })

    it('adds the vCPU-seconds of a command to what its account has used when it frees the vCPUs', async () => {
      const commandId = await run('pod-1', { vcpuCount: 3 })
      await age(100)
      await store.commitOutcome(commitOf(commandId, 'pod-1'))
      const before = await found()
      expect(before?.usedVcpuSeconds).to.equal(0)
      expect(before?.running.find((each) => each.commandId === commandId)).to.include({
        isEnding: true,
      })
      await store.releaseQuota(commandId)
      await store.releaseQuota(commandId)
      const cancelled = await dispatch()
      await store.commitOutcome(commitOf(cancelled, null, failed('CANCELLED')))
      await store.releaseQuota(cancelled)
      await dispatch()
      expect((await found())?.usedVcpuSeconds).to.be.within(300, 330)
    })

    it('records why an account waits, and nothing for an account that is gone', async () => {
      await dispatch()
      const { accountId } = session
      await store.recordWaits([
        { accountId, reason: 'CAPACITY', rateVcpus: 2.5 },
        { accountId: newId(), reason: 'CAPACITY', rateVcpus: 1 },
      ])
      expect(await found()).to.include({ reason: 'CAPACITY', rateVcpus: 2.5 })
      await store.recordWaits([{ accountId, reason: null, rateVcpus: null }])
      expect(await found()).to.include({ reason: null, rateVcpus: null })
    })

    it('shows a waiting command the reason of its account, and DISPATCH before it has a resource', async () => {
      const { accountId } = session
      const reasonOf = async (id: string) =>
        (await store.findCommand(accountId, id))?.queueReason ?? null
      const submitted = await submit()
      expect(await reasonOf(submitted)).to.equal('DISPATCH')
      const dispatched = await dispatch()
      expect(await reasonOf(dispatched)).to.equal(null)
      await store.recordWaits([{ accountId, reason: 'ACCOUNT_VCPUS', rateVcpus: null }])
      expect(await reasonOf(dispatched)).to.equal('ACCOUNT_VCPUS')
      expect(await reasonOf(submitted)).to.equal('ACCOUNT_VCPUS')
      await store.recordWaits([{ accountId, reason: 'ACCOUNT_FILES', rateVcpus: null }])
      expect(await reasonOf(dispatched)).to.equal(null)
      await admit()
      await store.recordWaits([{ accountId, reason: 'CAPACITY', rateVcpus: null }])
      expect(await reasonOf(dispatched)).to.equal(null)
    })

    it('estimates the start by the mean run time of the account once three of its commands have ended', async () => {
      const { accountId } = session
      const waitOf = async (id: string) => {
        const at = (await store.findCommand(accountId, id))?.estimatedStartAt
        const created = (await store.findCommand(accountId, id))?.createdAt
        return at === null || at === undefined || created === undefined
          ? null
          : (at.getTime() - created.getTime()) / 1_000
      }
      const runFor = async (seconds: number) => {
        const id = await run(newId())
        await age(seconds)
        const pod = (await row(id)).attempt
        await store.commitOutcome(commitOf(id, pod))
        await store.releaseQuota(id)
      }
      await runFor(100)
      await runFor(200)
      await store.recordWaits([{ accountId, reason: 'ACCOUNT_VCPUS', rateVcpus: 3 }])
      const early = await dispatch({ vcpuCount: 1 })
      expect(await waitOf(early)).to.equal(null)
      await store.commitOutcome(commitOf(early, null, failed('CANCELLED')))
      await runFor(300)
      const first = await dispatch({ vcpuCount: 1 })
      const second = await submit({ vcpuCount: 2 })
      // 200 s on average, at three vCPUs at a time.
      expect(await waitOf(first)).to.be.within(200 / 3 - 5, 200 / 3 + 30)
      expect(await waitOf(second)).to.be.within(195, 230)
      await store.recordWaits([{ accountId, reason: 'ACCOUNT_VCPUS', rateVcpus: null }])
      expect(await waitOf(first)).to.equal(null)
    })

    it('the store never admits beyond the quota when replicas admit at once', async () => {
      for (let i = 0; i < 6; i += 1) await dispatch({ vcpuCount: 2 })
      const admissions = await Promise.all([admit(4), admit(4), admit(4), admit(4)])
      expect(admissions.flatMap((admission) => admission.admitted)).to.have.length(2)
      expect(Math.max(...admissions.map((admission) => admission.vcpuInUse))).to.equal(4)
    })

    it('admission obeys the limit of live Jobs', async () => {
      const live = (await store.gauges()).ledgerVcpus
      for (let i = 0; i < 3; i += 1) await dispatch({ vcpuCount: 1 })
      expect((await admitWithin({ liveJobLimit: 0 })).admitted).to.deep.equal([])
      const file = await fileWork()
      expect((await admitWithin({ liveJobLimit: 0, liveFileJobLimit: 0 })).admitted).to.deep.equal(
        [],
      )
      expect((await admitWithin({ liveJobLimit: 0 })).admitted).to.deep.equal([file])
      expect((await store.gauges()).ledgerVcpus).to.equal(live)
    })

    it('names the commands that hold vCPUs, until they are released', async () => {
      const commandId = await run('pod-1', { vcpuCount: 1 })
      const waiting = await dispatch({ vcpuCount: 1 })
      expect(await store.findHolding()).to.include(commandId)
      await store.commitOutcome(commitOf(commandId, 'pod-1'))
      expect(await store.findHolding()).to.include(commandId)
      await store.releaseQuota(commandId)
      const holding = await store.findHolding()
      expect(holding).not.to.include(commandId)
      expect(holding).not.to.include(waiting)
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
