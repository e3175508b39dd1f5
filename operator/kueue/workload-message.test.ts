import { expect } from 'chai'
import { workloadMessage } from './workload-message.ts'
import type { AdmissionCheck } from './workloads.ts'

type Verdict = readonly [type: string, status: 'True' | 'False', message: string | null]

function said(conditions: readonly Verdict[], admissionChecks: readonly AdmissionCheck[] = []) {
  return workloadMessage({
    metadata: { name: 'job-x-1a2b3', uid: 'u', resourceVersion: '1' },
    conditions: conditions.map(([type, status, message]) => ({
      type,
      status,
      message,
      reason: null,
      lastTransitionTime: null,
    })),
    admissionChecks,
  })
}

const noRoom = 'insufficient unused quota for cpu in flavor default, 4 more needed'
const preempted = 'Preempted to accommodate a workload (UID: a, JobUID: b) due to prioritization'

describe('the message of a Workload', () => {
  it('says why no quota is reserved for a Workload', () => {
    expect(said([['QuotaReserved', 'False', noRoom]])).to.equal(noRoom)
  })

  it('is the newer search for quota when the Workload was evicted before', () => {
    const evicted: Verdict[] = [
      ['Evicted', 'True', preempted],
      ['Admitted', 'False', 'The workload has no reservation'],
    ]
    expect(said([...evicted, ['QuotaReserved', 'False', noRoom]])).to.equal(noRoom)
    expect(said([...evicted, ['QuotaReserved', 'True', 'Quota reserved']])).to.equal(preempted)
  })

  it('is the admission check that is not ready when quota is reserved', () => {
    const reserved: Verdict = ['QuotaReserved', 'True', 'Quota reserved in ClusterQueue a']
    const ready = { name: 'budget', state: 'Ready', message: 'yes' }
    const nodes = { name: 'nodes', state: 'Pending', message: 'Waits for 2 nodes' }
    expect(said([reserved], [ready, nodes])).to.equal(
      'Admission check nodes is Pending: Waits for 2 nodes',
    )
    expect(said([reserved], [{ ...nodes, message: '' }])).to.equal(
      'Admission check nodes is Pending',
    )
  })

  it('is null when the Workload waits for nothing, or Kueue has not looked at it', () => {
    expect(said([])).to.equal(null)
    expect(said([['QuotaReserved', 'False', '']])).to.equal(null)
    const admitted: Verdict[] = [
      ['QuotaReserved', 'True', 'Quota reserved in ClusterQueue a'],
      ['Evicted', 'False', preempted],
      ['Admitted', 'True', 'The workload is admitted'],
    ]
    expect(said(admitted)).to.equal(null)
  })

  it('is one line of at most 290 characters without secrets', () => {
    const secret = 'see https://user:word@host.example/a?X-Amz-Signature=1\n\u0007and more'
    expect(said([['QuotaReserved', 'False', secret]])).to.equal(
      'see https://…@host.example/a?… and more',
    )
    const long = said([['QuotaReserved', 'False', 'flavor a; '.repeat(3_000)]])
    expect(long).to.have.length(290)
    expect(long).to.match(/^flavor a; .*…$/)
  })
})
