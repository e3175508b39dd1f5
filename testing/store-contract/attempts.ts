import { expect } from 'chai'
import type { Progress } from '../../common/store/attempts.ts'
import { newId, progressOf, commitOf, failed, lossOf, queuedStep } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeAttempts(session: Session): void {
  describe('attempts', () => {
    const { store, dispatch, admit, run, row } = session

    it('gives the command to the first pod, again at its next request', async () => {
      const commandId = await dispatch()
      await admit()
      const claim = { commandId, jobGeneration: 1, podUid: 'pod-1' }
      const first = await store.claimAttempt(claim)
      expect(first.kind).to.equal('assigned')
      expect((await store.claimAttempt(claim)).kind).to.equal('assigned')
      expect((await store.claimAttempt({ ...claim, podUid: 'pod-2' })).kind).to.equal('held')
      expect(await row(commandId)).to.deep.include({
        attempt: 'pod-1',
        attempts: 1,
        status: 'PROCESSING',
        stage: 'DOWNLOADING',
      })
    })

    it('gives nothing to a pod of another generation, of no command, or after the end', async () => {
      const commandId = await dispatch()
      const claim = { commandId, jobGeneration: 1, podUid: 'pod-1' }
      expect((await store.claimAttempt(claim)).kind).to.equal('lost')
      await admit()
      expect((await store.claimAttempt({ ...claim, jobGeneration: 2 })).kind).to.equal('lost')
      const unknown = await store.claimAttempt({ ...claim, commandId: newId() })
      expect(unknown.kind).to.equal('unknown')
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
      expect(await store.claimAttempt(claim)).to.deep.equal({
        kind: 'final',
        status: 'FAILED',
        errorStatus: 'CANCELLED',
      })
    })

    it('lets exactly one of many pods win', async () => {
      const commandId = await dispatch()
      await admit()
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, pod) =>
          store.claimAttempt({ commandId, jobGeneration: 1, podUid: `pod-${pod}` }),
        ),
      )
      expect(claims.filter((claim) => claim.kind === 'assigned')).to.have.length(1)
      expect((await row(commandId)).attempts).to.equal(1)
    })

    it('fences a lost attempt: no assignment, no progress, no result', async () => {
      const commandId = await run('pod-1')
      const loss = lossOf(commandId, { jobGeneration: 1, attempt: 'pod-1', sameGeneration: true })
      expect(await store.loseAttempt(loss)).to.deep.equal({ jobGeneration: 1 })
      expect(await store.loseAttempt(loss)).to.equal(null)
      const again = { commandId, jobGeneration: 1, podUid: 'pod-1' }
      expect((await store.claimAttempt(again)).kind).to.equal('lost')
      expect((await store.storeProgress(progressOf(commandId, 'pod-1'))).kind).to.equal(
        'superseded',
      )
      expect(await store.commitOutcome(commitOf(commandId, 'pod-1'))).to.deep.equal({
        kind: 'superseded',
      })
      const second = await store.claimAttempt({ ...again, podUid: 'pod-2' })
      expect(second.kind).to.equal('assigned')
      expect(await row(commandId)).to.deep.include({ attempts: 2, lostAttempts: ['pod-1'] })
    })

    it('begins the next generation when the Job is gone', async () => {
      const commandId = await run('pod-1')
      expect(await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1' }))).to.deep.equal({
        jobGeneration: 2,
      })
      const old = await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-2' })
      expect(old.kind).to.equal('lost')
      const next = await store.claimAttempt({ commandId, jobGeneration: 2, podUid: 'pod-3' })
      expect(next.kind).to.equal('assigned')
    })

    it('counts a pod that died before its request once', async () => {
      const commandId = await dispatch()
      await admit()
      const loss = lossOf(commandId, { podUid: 'pod-1', sameGeneration: true })
      expect(await store.loseAttempt(loss)).to.deep.equal({ jobGeneration: 1 })
      expect(await store.loseAttempt(loss)).to.equal(null)
      expect((await row(commandId)).status).to.equal('QUEUED')
    })

    it('a command ends with RUNNER_LOST when the attempts are used up', async () => {
      const commandId = await run('pod-1')
      await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', maxAttempts: 2 }))
      await store.claimAttempt({ commandId, jobGeneration: 2, podUid: 'pod-2' })
      const last = lossOf(commandId, { jobGeneration: 2, attempt: 'pod-2', maxAttempts: 2 })
      expect(await store.loseAttempt(last)).to.deep.equal({ ended: 'RUNNER_LOST' })
      expect(await row(commandId)).to.deep.include({
        status: 'FAILED',
        errorStatus: 'RUNNER_LOST',
        errorMessage: 'The runner was lost 2 times',
      })
      expect(await store.loseAttempt(last)).to.equal(null)
    })

    it('counts evictions by the queue apart from other losses', async () => {
      const commandId = await run('pod-1')
      const evicted = { reason: 'KueueEvicted', sameGeneration: true, maxAttempts: 3 }
      await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', ...evicted }))
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-2' })
      await store.loseAttempt(lossOf(commandId, { attempt: 'pod-2', ...evicted }))
      expect(await row(commandId)).to.deep.include({ attempts: 2, evictions: 2, jobGeneration: 1 })
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod-3' })
      const crash = { charged: true, reason: 'exit 42', maxAttempts: 2 }
      const crashed = await store.loseAttempt(lossOf(commandId, { attempt: 'pod-3', ...crash }))
      expect(crashed).to.deep.equal({ jobGeneration: 2 })
      await store.claimAttempt({ commandId, jobGeneration: 2, podUid: 'pod-4' })
      const last = lossOf(commandId, { jobGeneration: 2, attempt: 'pod-4', ...crash })
      expect(await store.loseAttempt(last)).to.deep.equal({ ended: 'INTERNAL_ERROR' })
    })

    it('counts losses on spot nodes apart from other losses', async () => {
      const commandId = await run('pod-1')
      const onSpot = { reason: 'SpotDisrupted', maxAttempts: 7 }
      for (const jobGeneration of [1, 2, 3, 4, 5, 6]) {
        await store.loseAttempt(
          lossOf(commandId, { jobGeneration, attempt: `pod-${jobGeneration}`, ...onSpot }),
        )
        await store.claimAttempt({
          commandId,
          jobGeneration: jobGeneration + 1,
          podUid: `pod-${jobGeneration + 1}`,
        })
      }
      expect(await row(commandId)).to.deep.include({
        spotLosses: 6,
        evictions: 0,
        jobGeneration: 7,
      })
      const drained = lossOf(commandId, { jobGeneration: 7, attempt: 'pod-7', maxAttempts: 2 })
      expect(await store.loseAttempt(drained)).to.deep.equal({ jobGeneration: 8 })
    })

    it('a command ends with RUNNER_LOST when the queue has evicted it too often', async () => {
      const commandId = await run('pod-1')
      const evicted = { reason: 'KueueEvicted', sameGeneration: true, maxAttempts: 1 }
      const lost = await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', ...evicted }))
      expect(lost).to.deep.equal({ ended: 'RUNNER_LOST' })
      const errorMessage = 'The queue of the cluster evicted the runner once'
      expect(await row(commandId)).to.deep.include({ errorMessage })
    })

    it('a command ends with INTERNAL_ERROR when the runner crashed the same way each time', async () => {
      const commandId = await run('pod-1')
      const crash = { charged: true, reason: 'exit 42', maxAttempts: 2 }
      await store.loseAttempt(lossOf(commandId, { attempt: 'pod-1', ...crash }))
      await store.claimAttempt({ commandId, jobGeneration: 2, podUid: 'pod-2' })
      const last = lossOf(commandId, { jobGeneration: 2, attempt: 'pod-2', ...crash })
      expect(await store.loseAttempt(last)).to.deep.equal({ ended: 'INTERNAL_ERROR' })
    })
  })
}

export function describeProgress(session: Session): void {
  describe('progress', () => {
    const { store, run, row } = session

    it('progress moves forward only, and never lowers the percentage', async () => {
      const commandId = await run('pod-1')
      const at = (change: Partial<Progress>) =>
        store.storeProgress({ ...progressOf(commandId, 'pod-1'), ...change })
      expect(await at({ stage: 'FFMPEG_PROCESSING', progressPercent: 40 })).to.deep.equal({
        kind: 'stored',
        cancel: false,
      })
      const running = { ...queuedStep, status: 'PROCESSING', progress_percent: 10 } as const
      await at({ stage: 'FFMPEG_PROCESSING', progressPercent: 10, steps: [running] })
      await at({ stage: 'DOWNLOADING', progressPercent: 99 })
      expect(await row(commandId)).to.deep.include({
        status: 'PROCESSING',
        stage: 'FFMPEG_PROCESSING',
        progressPercent: 40,
        steps: [queuedStep],
      })
      await at({ stage: 'UPLOADING', progressPercent: null })
      expect(await row(commandId)).to.deep.include({ stage: 'UPLOADING', progressPercent: 40 })
    })

    it('progress passes through PREPARED_FFMPEG_COMMAND', async () => {
      const commandId = await run('pod-1')
      await store.storeProgress({
        ...progressOf(commandId, 'pod-1'),
        status: 'PREPARED_FFMPEG_COMMAND',
        stage: 'FFMPEG_PROCESSING',
      })
      expect(await row(commandId)).to.deep.include({
        status: 'PREPARED_FFMPEG_COMMAND',
        stage: 'PREPARING_INPUT_FILES',
      })
    })

    it('passes a wish to cancel on to the runner', async () => {
      const commandId = await run('pod-1')
      await store.requestCancel(commandId, 'administrator')
      const { version } = await row(commandId)
      await store.requestCancel(commandId, 'administrator')
      expect((await row(commandId)).version).to.equal(version)
      expect(await store.storeProgress(progressOf(commandId, 'pod-1'))).to.deep.equal({
        kind: 'stored',
        cancel: true,
      })
    })

    it('returns the outcome to an attempt that reports after the end', async () => {
      const commandId = await run('pod-1')
      await store.commitOutcome(commitOf(commandId, 'pod-1', failed('DISK_FULL')))
      expect(await store.storeProgress(progressOf(commandId, 'pod-1'))).to.deep.equal({
        kind: 'final',
        status: 'FAILED',
        errorStatus: 'DISK_FULL',
      })
    })
  })
}
