import { expect } from 'chai'
import { commitOf, failed, lossOf, newId, queuedStep } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeWarmRunners(session: Session): void {
  describe('warmRunners', () => {
    const { store, age, submit, dispatch, admit, run, row } = session

    /** A command that waits for its first attempt. */
    const admitted = async (vcpuCount = 2) => {
      const commandId = await dispatch({ vcpuCount })
      await admit()
      return commandId
    }
    const warmRunner = () => ({
      podUid: newId(),
      warmRunnerJob: `ffw-0a1b2c3d-${newId()}`,
      waitedSeconds: 42,
    })
    const bind = async (commandId: string, pod = warmRunner()) => {
      const bound = await store.bindWarmRunner({ commandId, ...pod })
      return 'row' in bound ? { ...bound, row: { ...bound.row, secondsSinceGeneration: 0 } } : bound
    }
    const rowOf = async (commandId: string) => ({
      ...(await row(commandId)),
      secondsSinceGeneration: 0,
    })

    it('gives a warm runner a command as by a claim', async () => {
      const commandId = await admitted()
      const pod = warmRunner()
      const bound = await bind(commandId, pod)
      expect(bound).to.deep.equal({ kind: 'bound', row: await rowOf(commandId) })
      expect(await row(commandId)).to.deep.include({
        attempt: pod.podUid,
        warmRunnerJob: pod.warmRunnerJob,
        waitedSeconds: 42,
        attempts: 1,
        status: 'PROCESSING',
        stage: 'DOWNLOADING',
        steps: [queuedStep],
        jobGeneration: 1,
      })
      expect(await store.findBound(pod.podUid)).to.deep.equal({ commandId, jobGeneration: 1 })
      expect(
        await store.claimAttempt({ commandId, jobGeneration: 1, podUid: newId() }),
      ).to.deep.equal({
        kind: 'held',
      })
    })

    it('gives a warm runner a command once when the call is repeated', async () => {
      const commandId = await admitted()
      const pod = warmRunner()
      await bind(commandId, pod)
      expect(await bind(commandId, pod)).to.deep.equal({
        kind: 'bound',
        row: await rowOf(commandId),
      })
      expect((await row(commandId)).attempts).to.equal(1)
    })

    it('a warm runner is never given a second command, and the command waits on', async () => {
      const [first, second] = [await admitted(), await admitted()]
      const pod = warmRunner()
      await bind(first, pod)
      const before = await rowOf(second)
      expect(await bind(second, pod)).to.deep.equal({ kind: 'taken' })
      expect(await bind(second, { ...pod, podUid: newId() })).to.deep.equal({ kind: 'taken' })
      expect(await bind(second, { ...pod, warmRunnerJob: `ffw-x-${newId()}` })).to.deep.equal({
        kind: 'taken',
      })
      expect(await rowOf(second)).to.deep.equal(before)
      await store.commitOutcome(commitOf(first, pod.podUid))
      expect(await bind(second, pod)).to.deep.equal({ kind: 'taken' })
    })

    it('a warm runner is given no command that does not wait for its first attempt', async () => {
      const held = await run(newId())
      const lost = await run('pod-1')
      await store.loseAttempt(lossOf(lost, { attempt: 'pod-1', sameGeneration: true }))
      const later = await admitted()
      await store.loseAttempt(lossOf(later, { attempt: null, podUid: null }))
      const cancelled = await admitted()
      await store.requestCancel(cancelled, 'administrator')
      const ended = await admitted()
      await store.commitOutcome(commitOf(ended, null, failed('CANCELLED')))
      const queued = await submit()
      const pod = warmRunner()
      const all = [held, lost, later, cancelled, ended, queued, newId()]
      for (const [index, commandId] of all.entries()) {
        expect(await bind(commandId, pod), String(index)).to.deep.equal({ kind: 'not-waiting' })
      }
      expect(await store.findBound(pod.podUid)).to.equal(null)
      expect((await bind(await admitted(), pod)).kind).to.equal('bound')
    })

    it('a warm runner is fenced as every attempt when it is lost, and stays bound', async () => {
      const commandId = await admitted()
      const pod = warmRunner()
      await bind(commandId, pod)
      const [before] = await store.boundWarmRunners([pod.warmRunnerJob, 'ffw-unused-1'])
      const { podUid, warmRunnerJob } = pod
      expect(before).to.deep.equal({ warmRunnerJob, podUid, commandId, isLive: true })
      await store.loseAttempt(lossOf(commandId, { attempt: podUid }))
      expect(await row(commandId)).to.include({
        attempt: null,
        warmRunnerJob: null,
        jobGeneration: 2,
      })
      expect(await store.findBound(podUid)).to.deep.equal({ commandId, jobGeneration: 1 })
      const [after] = await store.boundWarmRunners([warmRunnerJob])
      expect(after?.isLive).to.equal(false)
      expect(await bind(await admitted(), pod)).to.deep.equal({ kind: 'taken' })
    })

    it('a warm runner is not live any more when its command has ended', async () => {
      const commandId = await admitted()
      const pod = warmRunner()
      await bind(commandId, pod)
      await store.commitOutcome(commitOf(commandId, pod.podUid))
      const [bound] = await store.boundWarmRunners([pod.warmRunnerJob])
      expect(bound?.isLive).to.equal(false)
      expect(await store.boundWarmRunners([])).to.deep.equal([])
    })

    it('no warm runner is found for a pod that was made for its command', async () => {
      const podUid = newId()
      await run(podUid)
      expect(await store.findBound(podUid)).to.equal(null)
    })

    describe('demand', () => {
      const demand = (vcpuCount = 8, coldPlans: string[] = []) =>
        store.warmRunnerDemand({ vcpuCount, coldPlans })

      it('the demand is the most first claims in five seconds of the last ten minutes', async () => {
        // Those of other tests are older than this.
        await age(3_601)
        expect(await demand()).to.deep.equal({ most: 0, idleSeconds: null })
        for (const podUid of [newId(), newId(), newId()]) await run(podUid)
        await age(100)
        await bind(await admitted())
        await bind(await admitted(16))
        expect((await demand()).most).to.equal(3)
        expect((await demand(16)).most).to.equal(3)
        await age(300)
        expect((await demand()).idleSeconds).to.be.within(300, 340)
        await age(250)
        expect((await demand()).most).to.equal(1)
        expect((await demand(16)).most).to.equal(2)
        await age(100)
        expect(await demand()).to.include({ most: 0 })
        expect((await demand()).idleSeconds).to.be.within(650, 700)
      })

      it('the demand does not count plans without warm runners, and later generations', async () => {
        await age(3_601)
        const commandId = await run('pod-1')
        expect((await demand(8, ['pro'])).most).to.equal(0)
        await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1' }))
        await store.claimAttempt({ commandId, jobGeneration: 2, podUid: newId() })
        expect((await demand(8, ['free'])).most).to.equal(1)
      })
    })
  })
}

export function describeStartWaits(session: Session): void {
  describe('admitted commands that the cluster has not placed', () => {
    const { store, dispatch, admit, run, row } = session

    const reasonOf = async (commandId: string) =>
      (await store.findCommand(session.accountId, commandId))?.queueReason ?? null
    const waiting = async (reason: 'POLICY') =>
      (await store.gauges()).waiting[reason]?.commands ?? 0

    it('waiting commands have the reason of the cluster in their record until a runner has them', async () => {
      const before = await waiting('POLICY')
      const commandId = await dispatch()
      await admit()
      expect(await reasonOf(commandId)).to.equal(null)
      const { version } = await row(commandId)
      await store.recordStartWait(commandId, 'POLICY')
      await store.recordStartWait(commandId, 'POLICY')
      expect(await reasonOf(commandId)).to.equal('POLICY')
      // A poll of the record is answered from memory until its version changes.
      expect(await row(commandId)).to.include({ startWait: 'POLICY', version: version + 1 })
      expect(await waiting('POLICY')).to.equal(before + 1)
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-1' })
      expect(await reasonOf(commandId)).to.equal(null)
      expect(await waiting('POLICY')).to.equal(before)
    })

    it('admitted commands return to their place in the queue, and are admitted again as another generation', async () => {
      const [first, second] = [await dispatch({ vcpuCount: 2 }), await dispatch({ vcpuCount: 2 })]
      await admit(4)
      await store.recordStartWait(second, 'CAPACITY')
      expect(await store.returnToQueue({ commandId: second, jobGeneration: 2 })).to.equal(false)
      expect(await store.returnToQueue({ commandId: second, jobGeneration: 1 })).to.equal(true)
      expect(await store.returnToQueue({ commandId: second, jobGeneration: 1 })).to.equal(false)
      const returned = {
        admitted: false,
        jobGeneration: 0,
        returnedGeneration: 1,
        queuePosition: 1,
        startWait: null,
        attempts: 0,
      }
      expect(await row(second)).to.include(returned)
      const third = await dispatch({ vcpuCount: 2 })
      expect((await admit(4)).admitted).to.deep.equal([second])
      expect(await row(second)).to.include({ admitted: true, jobGeneration: 2 })
      expect(await row(third)).to.include({ queuePosition: 1 })
      expect(await row(first)).to.include({ admitted: true, jobGeneration: 1 })
    })

    it('returned commands are given to no pod of the generation from which they returned', async () => {
      const commandId = await dispatch()
      await admit()
      await store.returnToQueue({ commandId, jobGeneration: 1 })
      const claim = await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'late' })
      expect(claim.kind).to.equal('lost')
      await admit()
      const next = await store.claimAttempt({ commandId, jobGeneration: 2, podUid: 'pod-2' })
      expect(next.kind).to.equal('assigned')
    })

    it('commands do not return once a runner had them, a user cancels them or they have ended', async () => {
      const runs = await run('pod-1')
      const cancelled = await dispatch()
      const ended = await dispatch()
      await admit()
      await store.requestCancel(cancelled, 'administrator')
      await store.commitOutcome(commitOf(ended, null, failed('START_TIMEOUT')))
      for (const commandId of [runs, cancelled, ended]) {
        expect(await store.returnToQueue({ commandId, jobGeneration: 1 })).to.equal(false)
      }
    })
  })
}
