import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import {
  admittedRow,
  elapsed,
  job,
  pod,
  podUid,
  row,
  runningRow,
  snapshot,
} from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import type { SnapshotFacts } from './snapshot.ts'

const dayAgo = admittedRow({ secondsSinceGeneration: 86_400 })
const hourAgo = admittedRow({ secondsSinceGeneration: 3_600, startWait: 'CAPACITY' })
const unplaced = pod({ phase: 'Pending', node: null, unschedulable: '0/1 nodes: Insufficient cpu' })
const pulling = pod({
  phase: 'Pending',
  transfer: { state: 'waiting', reason: 'ImagePullBackOff', message: 'not found' },
})
const refused =
  'Error creating: pods "ffc-1-x" is forbidden: exceeded quota: inner, requested: cpu=2'
const againMs = (changes: Partial<SnapshotFacts>) => reconcile(snapshot(changes)).requeueAfterMs

describe('a command that waits for the cluster', () => {
  it('a command does not fail while no node has its pod, for as long as the place allowance', () => {
    expect(kinds({ row: hourAgo, jobs: [job()], pods: [unplaced] })).to.deep.equal(['showStatus'])
    const over = { row: dayAgo, jobs: [job()], pods: [unplaced] }
    const { errorStatus, message } = actionOf(over, 'commitFailure')
    expect(errorStatus).to.equal('START_TIMEOUT')
    expect(message).to.equal('No runner started within 86400 seconds: 0/1 nodes: Insufficient cpu')
  })

  it('a command waits without end where the place allowance is null', () => {
    const settings = {
      ...snapshot().settings,
      runner: runnerSettings({ placeAllowanceSeconds: null }),
    }
    const waits = { settings, row: dayAgo, jobs: [job()], pods: [unplaced] }
    expect(kinds(waits)).to.not.include('commitFailure')
    expect(againMs(waits)).to.equal(null)
  })

  it('a command has the start allowance from the moment that a node has its pod', () => {
    const placed = { row: hourAgo, jobs: [job()], pods: [pulling] }
    const early = { ...placed, elapsed: elapsed({ placed: 599 }) }
    expect(kinds(early)).to.not.include('commitFailure')
    expect(againMs(early)).to.equal(1_000)
    const over = { ...placed, elapsed: elapsed({ placed: 600 }) }
    const { errorStatus, message } = actionOf(over, 'commitFailure')
    expect(errorStatus).to.equal('START_TIMEOUT')
    expect(message).to.equal('No runner started within 600 seconds: ImagePullBackOff: not found')
  })

  it('says after 10 s without a pod why the API server refuses one, and looks every 10 s', () => {
    const podless = {
      row: admittedRow({ secondsSinceGeneration: 12 }),
      jobs: [job()],
      elapsed: elapsed({ withoutPod: 10 }),
      podRefusal: refused,
    }
    const { status } = actionOf(podless, 'showStatus')
    expect(status).to.include({ reason: 'PodRefused', message: refused })
    const running = status.conditions?.find(({ type }) => type === 'Running')
    expect(running).to.include({ status: 'False', reason: 'PodRefused' })
    expect(actionOf(podless, 'recordStartWait').reason).to.equal('QUOTA_OF_CLUSTER')
    expect(againMs(podless)).to.equal(10_000)
  })

  it('tells users in the end without names of the cluster what it waited for', () => {
    const elapsedNow = elapsed({ withoutPod: 86_000 })
    const over = { row: dayAgo, jobs: [job()], elapsed: elapsedNow, podRefusal: refused }
    const { message, evidence } = actionOf(over, 'commitFailure')
    expect(message).to.equal(
      'No runner started within 86400 seconds: exceeded quota: requested: cpu=2',
    )
    expect(evidence).to.include({ message: refused })
  })

  for (const [why, reason, message, recorded] of [
    ['a policy', 'Forbidden', 'admission webhook "a.b" denied the request: no', 'POLICY'],
    ['a quota for Jobs', 'QuotaForbidden', 'exceeded quota: jobs', 'QUOTA_OF_CLUSTER'],
  ] as const) {
    it(`records that ${why} refuses its Job, once, and creates the Job again`, () => {
      const refusal = { reason, message, permanent: false }
      const planned = { row: admittedRow({ secondsSinceGeneration: 7_200 }), refusal }
      expect(kinds(planned)).to.deep.equal(['createJob', 'recordStartWait', 'showStatus'])
      expect(actionOf(planned, 'recordStartWait').reason).to.equal(recorded)
      const known = { row: admittedRow({ startWait: recorded }), refusal }
      expect(kinds(known)).to.deep.equal(['createJob', 'showStatus'])
    })
  }

  it('removes the record of its wait when its pod has a node, and leaves it to an attempt', () => {
    const placed = { row: hourAgo, jobs: [job()], pods: [pulling] }
    expect(actionOf(placed, 'recordStartWait').reason).to.equal(null)
    const runs = { row: runningRow({ startWait: 'CAPACITY' }), jobs: [job()], pods: [pod()] }
    expect(kinds(runs)).to.deep.equal(['showStatus'])
  })

  it('a command loses its Job when it has returned to the queue, and wakes the admission', () => {
    const returned = row({ jobGeneration: 0, returnedGeneration: 1 })
    const kept = { row: returned, jobs: [job()], pods: [pod({ uid: podUid, node: null })] }
    expect(kinds(kept)).to.deep.equal(['deleteJob', 'wakeAdmission', 'showStatus'])
    expect(kinds({ row: returned, jobs: [job({ deleting: true })] })).to.not.include('deleteJob')
  })
})
