import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts, WarmRunnerPodFacts } from '../observe/pod-facts.ts'
import { limitsFor } from '../resources/limits.ts'
import { commandSize, textOf } from '../resources/warm-runner-size.ts'
import {
  admittedRow,
  commandId,
  elapsed,
  ended,
  failedRow,
  job,
  pod,
  podUid,
  resourceUid,
  row,
  runningRow,
  snapshot,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import type { SnapshotFacts } from './snapshot.ts'

const warmRunnerJob = 'ffw-0a1b2c3d-7'
const jobUid = 'uid of the warm runner'
const runner = runnerSettings({ warm: warmSettings() })
const settings = { ...snapshot().settings, runner }
const size = textOf(commandSize(limitsFor(row(), runner), runner))

const warmRow = (changes = {}) => runningRow({ warmRunnerJob, waitedSeconds: 40, ...changes })

function unadopted(changes: Partial<JobFacts> = {}): JobFacts {
  return job({
    metadata: { namespace: 'media', name: warmRunnerJob, uid: jobUid, resourceVersion: '9' },
    ownerUid: null,
    specHash: null,
    warmRunner: { poolHash: '0a1b2c3d' },
    ttlSeconds: 60,
    deadlineSeconds: 3_600,
    ...changes,
  })
}

function adopted(changes: Partial<JobFacts> = {}): JobFacts {
  const { specHash } = job()
  return unadopted({ ownerUid: resourceUid, specHash, ttlSeconds: null, ...changes })
}

function warmRunnerPod(
  facts: Partial<WarmRunnerPodFacts> = {},
  changes: Partial<PodFacts> = {},
): PodFacts {
  return pod({
    warmRunner: {
      job: { name: warmRunnerJob, uid: jobUid },
      isBound: false,
      size: 'idle',
      isResizable: true,
      resizePending: null,
      startSeconds: 2,
      ...facts,
    },
    ...changes,
  })
}

function warmSnapshot(changes: Partial<SnapshotFacts>): Partial<SnapshotFacts> {
  return { settings, row: warmRow(), jobs: [unadopted()], pods: [warmRunnerPod()], ...changes }
}

describe('reconcile, with runners that wait', () => {
  it('binds one in place of creating a Job', () => {
    expect(kinds({ settings, row: admittedRow() })).to.deep.equal(['bindWarmRunner', 'showStatus'])
  })

  it('creates a Job when the command may have none of them', () => {
    const rows = [
      admittedRow({ jobGeneration: 2, lostAttempts: ['x'] }),
      admittedRow({ lostAttempts: ['x'] }),
      admittedRow({ vcpuCount: 9 }),
    ]
    for (const each of rows) expect(kinds({ settings, row: each })).to.include('createJob')
    const coldPlans = [admittedRow().accountPlan]
    const cold = { ...settings, runner: runnerSettings({ warm: warmSettings({ coldPlans }) }) }
    expect(kinds({ settings: cold, row: admittedRow() })).to.include('createJob')
    expect(kinds({ row: admittedRow() })).to.include('createJob')
  })

  it('adopts the one that works on the command, by what Job and pod lack', () => {
    const whole = actionOf(warmSnapshot({}), 'adoptWarmRunner')
    expect(whole.job?.target.uid).to.equal(jobUid)
    expect(whole.pod?.target.uid).to.equal(podUid)
    expect(whole.resize?.target.uid).to.equal(podUid)
    const labelled = warmSnapshot({ jobs: [adopted()], pods: [warmRunnerPod({ isBound: true })] })
    const rest = actionOf(labelled, 'adoptWarmRunner')
    expect({ job: rest.job, pod: rest.pod }).to.deep.equal({ job: null, pod: null })
    const done = warmRunnerPod({ isBound: true, size })
    expect(kinds(warmSnapshot({ jobs: [adopted()], pods: [done] }))).to.deep.equal(['showStatus'])
  })

  it('leaves the processor to the command for its first half second', () => {
    const early = reconcile(snapshot(warmSnapshot({ elapsed: elapsed({ sinceAttempt: 0.2 }) })))
    expect(early.actions.map(({ kind }) => kind)).to.deep.equal(['showStatus'])
    expect(early.requeueAfterMs).to.equal(300)
    expect(kinds(warmSnapshot({ elapsed: elapsed({ sinceAttempt: 0.5 }) }))).to.include(
      'adoptWarmRunner',
    )
  })

  it('labels Job and pod of a command that has ended before they were, and resizes nothing', () => {
    const final = succeededRow({ warmRunnerJob, waitedSeconds: 1 })
    // The Job may go as soon as the quota is released, and no later reconcile is due then.
    const ttls = { Running: null, Succeeded: settings.jobTtlSeconds }
    for (const phase of ['Running', 'Succeeded'] as const) {
      const adopt = actionOf(
        warmSnapshot({ row: final, pods: [warmRunnerPod({}, { phase })] }),
        'adoptWarmRunner',
      )
      expect(adopt.job?.body).to.have.nested.property('metadata.ownerReferences')
      expect(adopt.job?.body).to.have.nested.property('spec.ttlSecondsAfterFinished', ttls[phase])
      expect(adopt.pod?.body).to.not.have.property('spec')
      expect(adopt.resize).to.equal(null)
    }
    const labelled = [warmRunnerPod({ isBound: true }, { phase: 'Succeeded' })]
    const rest = actionOf(warmSnapshot({ row: final, pods: labelled }), 'adoptWarmRunner')
    expect(rest.pod).to.equal(null)
    const whole = warmSnapshot({ row: final, jobs: [adopted()], pods: labelled })
    expect(kinds(whole)).to.not.include('adoptWarmRunner')
    const other = unadopted({
      metadata: { namespace: 'media', name: warmRunnerJob, uid: 'other', resourceVersion: '1' },
    })
    const foreign = actionOf(warmSnapshot({ row: final, jobs: [other] }), 'adoptWarmRunner')
    expect(foreign.job).to.equal(null)
  })

  it('adds the time of the command to what a Job and its pod had, and have used', () => {
    const { job: patched, pod: labelled } = actionOf(warmSnapshot({}), 'adoptWarmRunner')
    const { podDeadlineSeconds, startAllowanceSeconds } = limitsFor(row(), runner).clocks
    expect(patched?.body).to.have.nested.property(
      'spec.activeDeadlineSeconds',
      3_600 + podDeadlineSeconds + startAllowanceSeconds,
    )
    expect(labelled?.body).to.have.nested.property(
      'spec.activeDeadlineSeconds',
      40 + 30 + podDeadlineSeconds,
    )
  })

  it('reconcile does not repeat a resize that a policy of the cluster makes another', () => {
    const settled = elapsed({ isSizeSettled: true })
    const pods = [warmRunnerPod({ isBound: true })]
    expect(kinds(warmSnapshot({ jobs: [adopted()], pods, elapsed: settled }))).to.deep.equal([
      'showStatus',
    ])
  })

  it('reconcile comes back until it has adopted all of it', () => {
    const plan = reconcile(snapshot(warmSnapshot({})))
    expect(plan.requeueAfterMs).to.equal(1_000)
  })

  it('reconcile does not repeat a resize that was refused, and loses the attempt after two seconds', () => {
    const refused = (unresized: number) =>
      warmSnapshot({
        jobs: [adopted()],
        pods: [warmRunnerPod({ isBound: true })],
        elapsed: elapsed({ unresized, resizeRefusal: 'no room' }),
      })
    expect(kinds(refused(1))).to.deep.equal(['showStatus'])
    expect(reconcile(snapshot(refused(1.5))).requeueAfterMs).to.equal(500)
    const { loss } = actionOf(refused(2), 'loseAttempt')
    expect(loss).to.include({ reason: 'NotResized', charged: false, sameGeneration: false, podUid })
  })

  it('waits for no size of a pod that has ended, or is about to', () => {
    const late = elapsed({ unresized: 9, resizeRefusal: 'no room' })
    const going = warmRunnerPod({ isBound: true }, { deletion: { graceSeconds: 15 } })
    const jobs = [adopted()]
    expect(kinds(warmSnapshot({ jobs, pods: [going], elapsed: late }))).to.deep.equal([
      'showStatus',
    ])
  })

  it('a command never waits for a second pod of the Job of a warm runner', () => {
    const dead = warmRunnerPod({}, { phase: 'Failed', transfer: ended(1), ffmpeg: ended(0) })
    const { loss } = actionOf(warmSnapshot({ pods: [dead] }), 'loseAttempt')
    expect(loss).to.include({ sameGeneration: false, podUid })
  })

  it('loses the attempt uncharged when the database has lost the binding that Job or pod shows', () => {
    const unbound = admittedRow()
    const labelled = warmRunnerPod({ isBound: true })
    const shown = [
      { jobs: [adopted()], pods: [labelled] },
      { jobs: [adopted()], pods: [] },
      { jobs: [], pods: [labelled] },
      { jobs: [adopted()], pods: [warmRunnerPod({}, { phase: 'Failed', transfer: ended(30) })] },
    ]
    for (const each of shown) {
      const { loss } = actionOf(warmSnapshot({ row: unbound, ...each }), 'loseAttempt')
      expect(loss).to.include({ reason: 'BindingLost', charged: false, sameGeneration: false })
    }
  })

  it('takes a Job of another UID for a foreign one', () => {
    const other = unadopted({
      metadata: { namespace: 'media', name: warmRunnerJob, uid: 'other', resourceVersion: '1' },
    })
    const { loss } = actionOf(warmSnapshot({ jobs: [other] }), 'loseAttempt')
    expect(loss.reason).to.equal('ForeignJob')
  })

  it('a command is not blamed for the deadline of a Job that was not adopted in time', () => {
    const ending = { reason: 'DeadlineExceeded', message: '' }
    const late = warmSnapshot({ jobs: [unadopted({ ending })], pods: [] })
    expect(kinds({ ...late, confirmed: new Set(['pods']) })).to.include('loseAttempt')
  })

  it('stops the Job of a cancelled command that was not adopted yet', () => {
    const cancelled = failedRow({ errorStatus: 'CANCELLED', warmRunnerJob, waitedSeconds: 1 })
    expect(kinds(warmSnapshot({ row: cancelled }))).to.deep.equal(['deleteJob', 'showStatus'])
  })

  it('releases the quota of a command whose runner has ended, adopted or not', () => {
    const final = succeededRow({ warmRunnerJob, waitedSeconds: 1 })
    const done = warmRunnerPod({}, { phase: 'Succeeded' })
    expect(kinds(warmSnapshot({ row: final, pods: [done] }))).to.include('releaseQuota')
    const whole = warmSnapshot({ row: final, pods: [done], jobs: [adopted()] })
    expect(actionOf(whole, 'setJobTtl').job.name).to.equal(warmRunnerJob)
  })

  it('shows the Job of the warm runner and that the start was warm', () => {
    const { status } = actionOf(warmSnapshot({}), 'showStatus')
    expect(status).to.include({ jobName: warmRunnerJob, start: 'Warm' })
    const cold = actionOf({ row: runningRow(), jobs: [job()], pods: [pod()] }, 'showStatus')
    expect(cold.status).to.include({ jobName: `ffc-${commandId}-1`, start: 'Cold' })
  })
})
