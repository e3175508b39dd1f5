import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import {
  admittedRow,
  elapsed,
  ended,
  failedRow,
  job,
  pod,
  podUid,
  row,
  runningRow,
  snapshot,
} from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { transferExit } from '../../common/domain/failures.ts'
import type { SnapshotFacts } from './snapshot.ts'

const kueue = {
  queueName: 'cloud-ffmpeg-{plan}',
  priorityClasses: { low: null, normal: null, high: 'urgent' },
  maxEvictions: 10,
}
const settings = { ...snapshot().settings, runner: runnerSettings({ kueue }) }
const suspended = job({ queued: true, suspended: true })
const resumed = job({ queued: true })
const interrupted = pod({
  phase: 'Failed',
  deletion: { graceSeconds: 15 },
  transfer: ended(transferExit.interrupted),
})

const plan = (changes: Partial<SnapshotFacts>) => reconcile(snapshot({ settings, ...changes }))
const actions = (changes: Partial<SnapshotFacts>) => kinds({ settings, ...changes })
const lossIn = (changes: Partial<SnapshotFacts>) =>
  actionOf({ settings, ...changes }, 'loseAttempt').loss

describe('reconcile, of a command whose Job Kueue queues', () => {
  it('creates the Job suspended, in the queue of its plan', () => {
    const { spec, metadata } = actionOf({ settings, row: admittedRow() }, 'createJob').manifest
    expect(spec.suspend).to.equal(true)
    expect(metadata.labels).to.deep.include({ 'kueue.x-k8s.io/queue-name': 'cloud-ffmpeg-small' })
    expect(metadata.labels).to.not.have.property('kueue.x-k8s.io/priority-class')
  })

  it('shows that it waits for Kueue while the Job is suspended, and has no start timeout', () => {
    const waiting = {
      settings,
      row: admittedRow({ startWait: 'KUEUE', secondsSinceGeneration: 100_000 }),
      jobs: [suspended],
    }
    const { status } = actionOf(waiting, 'showStatus')
    expect(status).to.include({ reason: 'WaitingForKueue' })
    expect(status.message).to.include('suspended until Kueue admits it')
    const admitted = status.conditions?.find(({ type }) => type === 'Admitted')
    expect(admitted).to.include({ status: 'False', reason: 'WaitingForKueue' })
    expect(actions(waiting)).to.deep.equal(['showStatus'])
  })

  it('records that it waits for Kueue, and no longer once the Job is resumed', () => {
    const begins = { settings, row: admittedRow(), jobs: [suspended] }
    expect(actionOf(begins, 'recordStartWait').reason).to.equal('KUEUE')
    const ends = { settings, row: admittedRow({ startWait: 'KUEUE' }), jobs: [resumed] }
    expect(actionOf(ends, 'recordStartWait').reason).to.equal(null)
  })

  it('counts the place allowance from the time at which it may start pods', () => {
    const late = admittedRow({ secondsSinceGeneration: 100_000 })
    const early = plan({ row: late, jobs: [resumed], elapsed: elapsed({ startable: 86_390 }) })
    expect(early.requeueAfterMs).to.equal(10_000)
    const over = { settings, row: late, jobs: [resumed], elapsed: elapsed({ startable: 86_400 }) }
    expect(actionOf(over, 'commitFailure').errorStatus).to.equal('START_TIMEOUT')
  })

  it('creates a Job that was deleted after days in the queue again', () => {
    const late = admittedRow({ secondsSinceGeneration: 100_000 })
    expect(actions({ row: late })).to.deep.equal(['createJob', 'showStatus'])
  })

  it('waits for the pods of a Job that is suspended again', () => {
    const ending = pod({ deletion: { graceSeconds: 15 } })
    const evicted = { row: runningRow(), jobs: [suspended], pods: [ending] }
    expect(actions(evicted)).to.deep.equal(['showStatus'])
  })

  it('takes the suspension for an eviction: free of charge, in the same Job and generation', () => {
    const free = { reason: 'KueueEvicted', charged: false, sameGeneration: true, maxAttempts: 11 }
    const evicted = { row: runningRow(), jobs: [suspended], pods: [interrupted] }
    expect(lossIn(evicted)).to.deep.include({ ...free, attempt: podUid, podUid })
    const gone = { row: runningRow(), jobs: [suspended], gonePods: [interrupted] }
    expect(lossIn(gone)).to.deep.include(free)
    const unseen = { row: runningRow(), jobs: [suspended], confirmed: new Set(['pods'] as const) }
    expect(lossIn(unseen)).to.deep.include(free)
    expect(actions({ row: runningRow(), jobs: [suspended] })).to.deep.equal(['confirm'])
    const unclaimed = { row: admittedRow(), jobs: [suspended], pods: [interrupted] }
    expect(lossIn(unclaimed)).to.deep.include({ ...free, attempt: null, podUid })
  })

  it('knows an eviction whose Job is resumed already', () => {
    const evicted = { row: runningRow(), jobs: [resumed], gonePods: [interrupted] }
    expect(lossIn(evicted)).to.deep.include({ reason: 'KueueEvicted', sameGeneration: true })
  })

  it('takes a pod for deleted by hand where its Job is in no queue, or ends', () => {
    const own = { row: runningRow(), gonePods: [interrupted] }
    for (const found of [job(), job({ queued: true, deleting: true })]) {
      expect(lossIn({ ...own, jobs: [found] })).to.include({ reason: 'PodDeleted', maxAttempts: 3 })
    }
  })

  it('keeps what the runner reported, and what it did wrong, before it was evicted', () => {
    const jobs = [suspended]
    const killed = pod({ phase: 'Failed', ffmpeg: ended(137, 'OOMKilled') })
    const failure = actionOf({ settings, row: runningRow(), jobs, pods: [killed] }, 'commitFailure')
    expect(failure.errorStatus).to.equal('OUT_OF_MEMORY')
    const crashed = pod({ phase: 'Failed', transfer: ended(42) })
    const { reason, charged } = lossIn({ row: runningRow(), jobs, pods: [crashed] })
    expect({ reason, charged }).to.deep.equal({ reason: 'UnexpectedError', charged: true })
  })

  it('starts another Job where the node of the evicted pod is dead', () => {
    const silent = pod({ deletion: { graceSeconds: 15 }, disruption: 'DeletionByTaintManager' })
    const dead = { row: runningRow(), jobs: [suspended], pods: [silent] }
    const long = elapsed({ podDeletion: new Map([[podUid, 16]]) })
    expect(lossIn({ ...dead, elapsed: long })).to.include({
      reason: 'NodeLost',
      sameGeneration: false,
    })
  })

  it('deletes the suspended Job of a command that was cancelled, or has ended otherwise', () => {
    const jobs = [suspended]
    const cancelled = actionOf(
      { settings, row: admittedRow({ cancelRequested: true }), jobs },
      'commitFailure',
    )
    expect(cancelled.errorStatus).to.equal('CANCELLED')
    for (const errorStatus of ['CANCELLED', 'RUNNER_LOST'] as const) {
      const over = failedRow({ attempt: null, errorStatus })
      expect(actions({ row: over, jobs })).to.deep.equal(['deleteJob', 'showStatus'])
    }
  })

  it('reconcile does not count evictions among the runners that were lost', () => {
    const evicted = admittedRow({ attempts: 1, evictions: 1, lostAttempts: [podUid] })
    const { status } = actionOf({ settings, row: evicted, jobs: [resumed] }, 'showStatus')
    expect(status.reason).to.equal('JobCreated')
  })

  it('leaves a Job alone that was suspended by hand and is in no queue', () => {
    const byHand = job({ suspended: true })
    const late = { settings, row: admittedRow({ secondsSinceGeneration: 86_400 }), jobs: [byHand] }
    expect(actionOf(late, 'commitFailure').errorStatus).to.equal('START_TIMEOUT')
  })

  it('reconcile never writes what Kueue injects: a Job is created, deleted, or given a TTL', () => {
    const kindsOfJob = ['createJob', 'deleteJob', 'setJobTtl']
    for (const live of [row(), admittedRow(), runningRow(), failedRow()]) {
      for (const found of [suspended, resumed]) {
        const planned = actions({ row: live, jobs: [found], pods: [pod()] })
        const onJob = planned.filter((kind) => kind.toLowerCase().includes('job'))
        expect(onJob.every((kind) => kindsOfJob.includes(kind))).to.equal(true)
        expect(planned).to.not.include('loseAttempt')
      }
    }
  })
})
