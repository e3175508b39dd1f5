import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import {
  command,
  elapsed,
  ended,
  failedRow,
  job,
  pod,
  podUid,
  snapshot,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { shownStatus } from '../observe/shown-status.ts'

const succeededPod = pod({
  phase: 'Succeeded',
  transfer: ended(0, 'Completed'),
  ffmpeg: ended(0, 'Completed'),
})

describe('reconcile, after the outcome', () => {
  it('reconcile never creates anything for a finished command', () => {
    for (const terminal of [
      succeededRow(),
      failedRow(),
      failedRow({ errorStatus: 'CANCELLED', attempt: null, jobGeneration: 0, admitted: false }),
    ]) {
      for (const jobs of [[], [job()], [job({ deleting: true })]]) {
        expect(kinds({ row: terminal, jobs })).to.not.include('createJob')
      }
    }
  })

  it('shows the outcome and waits while the runner exits', () => {
    const plan = reconcile(snapshot({ row: succeededRow(), jobs: [job()], pods: [pod()] }))
    expect(plan.actions.map(({ kind }) => kind)).to.deep.equal(['showStatus'])
    expect(plan.requeueAfterMs).to.equal(5_000)
  })

  it('deletes the Job when the runner has not exited after a minute', () => {
    const late = elapsed({ sinceFinal: 61 })
    const running = { row: succeededRow(), jobs: [job()], pods: [pod()] }
    expect(kinds({ ...running, elapsed: late })).to.deep.equal(['deleteJob', 'showStatus'])
  })

  it('releases the quota and lets the Job expire once its pod has ended', () => {
    const actions = kinds({ row: succeededRow(), jobs: [job()], pods: [succeededPod] })
    expect(actions).to.deep.equal(['showStatus', 'releaseQuota', 'setJobTtl'])
  })

  it('keeps the Job of a failed command longer', () => {
    const failed = pod({ phase: 'Failed', transfer: ended(23), ffmpeg: ended(0) })
    const { seconds } = actionOf({ row: failedRow(), jobs: [job()], pods: [failed] }, 'setJobTtl')
    expect(seconds).to.equal(600)
  })

  it('sets the time to live once', () => {
    const actions = kinds({
      row: succeededRow({ released: true }),
      jobs: [job({ ttlSeconds: 60 })],
      pods: [succeededPod],
    })
    expect(actions).to.deep.equal(['showStatus'])
  })

  it('stops the Job of a cancelled command at once and holds the quota until its pod is gone', () => {
    const cancelled = failedRow({ errorStatus: 'CANCELLED' })
    expect(kinds({ row: cancelled, jobs: [job()], pods: [pod()] })).to.deep.equal([
      'deleteJob',
      'showStatus',
    ])
    expect(
      kinds({ row: cancelled, pods: [pod({ deletion: { graceSeconds: 15 } })] }),
    ).to.deep.equal(['showStatus'])
    expect(kinds({ row: cancelled, confirmed: new Set(['pods'] as const) })).to.deep.equal([
      'showStatus',
      'releaseQuota',
    ])
  })

  it('reads the pods from the API server before it concludes that none is left', () => {
    const actions = kinds({ row: failedRow({ errorStatus: 'CANCELLED' }) })
    expect(actions).to.deep.equal(['showStatus', 'confirm'])
  })

  it('stops a Job that would start one more pod after an end decided from facts', () => {
    const evicted = pod({ phase: 'Failed', reason: 'Evicted', transfer: ended(31) })
    const full = failedRow({ errorStatus: 'DISK_FULL' })
    const crashed = pod({ phase: 'Failed', transfer: ended(42) })
    expect(kinds({ row: full, jobs: [job()], pods: [evicted] })).to.not.include('deleteJob')
    expect(kinds({ row: full, jobs: [job()], pods: [crashed] })).to.include('deleteJob')
  })

  it('stops a Job whose pod never started', () => {
    const late = failedRow({ errorStatus: 'START_TIMEOUT', attempt: null, attempts: 0 })
    expect(kinds({ row: late, jobs: [job()], pods: [pod({ phase: 'Pending' })] })).to.include(
      'deleteJob',
    )
  })

  it('frees the vCPUs of a lost pod on an unreachable node', () => {
    const lost = failedRow({ errorStatus: 'RUNNER_LOST', attempt: null, lostAttempts: [podUid] })
    const confirmed = new Set(['pods'] as const)
    expect(kinds({ row: lost, pods: [pod()], confirmed })).to.include('releaseQuota')
  })

  it('reads the API server for a pod that the Job may have started after the last known one', () => {
    const late = failedRow({ errorStatus: 'RUNNER_LOST', attempt: null, lostAttempts: [podUid] })
    const crashed = pod({ phase: 'Failed', transfer: ended(41) })
    const actions = kinds({ row: late, pods: [crashed] })
    expect(actions).to.include('confirm').and.not.include('releaseQuota')
  })

  it('removes the finalizer of a deleted resource only after the quota is released', () => {
    const deleted = command({ deleting: true })
    const cancelled = failedRow({ errorStatus: 'CANCELLED' })
    expect(kinds({ row: cancelled, command: deleted, pods: [pod()] })).to.not.include(
      'removeFinalizer',
    )
    expect(
      kinds({ row: { ...cancelled, released: true, mirrored: true }, command: deleted }),
    ).to.deep.equal(['showStatus', 'removeFinalizer', 'markResourceDeleted'])
  })

  it('deletes the Job and shows the outcome again when the resource of a finished command shows PROCESSING', () => {
    const actions = kinds({
      row: failedRow({ errorStatus: 'CANCELLED', released: true, mirrored: true }),
      command: command({ shown: shownStatus({ state: 'PROCESSING' }) }),
      jobs: [job()],
      pods: [pod()],
    })
    expect(actions).to.deep.equal(['deleteJob', 'showStatus'])
  })

  it('marks a finished command as mirrored and deleted when its resource is gone', () => {
    const actions = kinds({
      row: succeededRow(),
      command: null,
      pods: [succeededPod],
      confirmed: new Set(['command'] as const),
    })
    expect(actions).to.deep.equal(['markMirrored', 'releaseQuota', 'markResourceDeleted'])
  })
})
