import { expect } from 'chai'
import { actionOf, kinds } from './plan-of.fixture.ts'
import { reconcile } from './reconcile.ts'
import {
  admittedRow,
  command,
  elapsed,
  job,
  pod,
  row,
  snapshot,
} from '../../testing/support/operator/snapshot.ts'
import { shownStatus } from '../observe/shown-status.ts'

describe('reconcile, before a Job', () => {
  it('adopts a custom resource when dispatch crashed before it recorded the UID', () => {
    expect(kinds({ row: row({ resourceUid: null }) })).to.deep.equal(['adoptResource'])
  })

  it('adopts a resource that was deleted and made again under the same name', () => {
    expect(kinds({ row: row({ resourceUid: 'an earlier one' }) })).to.deep.equal([
      'undispatch',
      'adoptResource',
    ])
  })

  it('shows the outcome on a resource that was made again after the end, and deletes it', () => {
    const ended = row({
      status: 'FAILED',
      errorStatus: 'CANCELLED',
      errorMessage: 'x',
      released: true,
      resourceUid: 'an earlier one',
      mirrored: true,
    })
    expect(kinds({ row: ended })).to.deep.equal(['showStatus', 'deleteResource'])
  })

  it('releases the quota of a command that ended after its resource was lost', () => {
    const ended = admittedRow({
      status: 'FAILED',
      errorStatus: 'INTERNAL_ERROR',
      errorMessage: 'x',
      resourceUid: null,
      mirrored: true,
    })
    const confirmed = new Set(['pods'] as const)
    expect(kinds({ row: ended, command: null, confirmed })).to.include('releaseQuota')
  })

  it('rejects a foreign object under the name of a row and does not change the row', () => {
    const foreign = command({ specHash: 'something else', recordFinalizer: false })
    const actions = kinds({ row: row({ resourceUid: null }), command: foreign })
    expect(actions).to.deep.equal(['showStatus'])
  })

  it('reconcile does nothing about a row that dispatch has not reached', () => {
    expect(kinds({ row: row({ resourceUid: null }), command: null })).to.deep.equal([])
  })

  it('imports an object applied with kubectl', () => {
    expect(kinds({ row: null, command: command({ origin: 'applied' }) })).to.deep.equal(['import'])
  })

  it('imports a live object whose row a restored database does not have', () => {
    expect(kinds({ row: null })).to.deep.equal(['import'])
  })

  it('removes the finalizer of an object that was deleted before its import', () => {
    const deleted = command({ origin: 'applied', deleting: true })
    expect(kinds({ row: null, command: deleted })).to.deep.equal(['removeFinalizer'])
  })

  it('plans no action for an object that was rejected before', () => {
    const rejected = command({ origin: 'applied', shown: shownStatus({ reason: 'Rejected' }) })
    expect(kinds({ row: null, command: rejected })).to.deep.equal([])
  })

  it('rejects an object with the id of a row under another name', () => {
    const misnamed = command({ origin: 'misnamed', recordFinalizer: false })
    expect(kinds({ command: misnamed })).to.deep.equal(['showStatus'])
  })

  it('wakes the admission for a waiting command', () => {
    expect(kinds({})).to.deep.equal(['wakeAdmission', 'showStatus'])
  })

  it('creates the Job of an admitted command', () => {
    const { manifest } = actionOf({ row: admittedRow() }, 'createJob')
    expect(manifest.metadata.name).to.match(/^ffc-.*-1$/)
  })

  it('creates the Job again after a refusal for quota and shows the reason', () => {
    const refusal = {
      reason: 'QuotaForbidden',
      message: 'exceeded quota: pods',
      permanent: false,
    }
    const planned = kinds({ row: admittedRow(), refusal })
    expect(planned).to.deep.equal(['createJob', 'recordStartWait', 'showStatus'])
    const { status } = actionOf({ row: admittedRow(), refusal }, 'showStatus')
    expect(status.reason).to.equal('QuotaForbidden')
  })

  it('ends a command whose Job the API server finds invalid', () => {
    const refusal = { reason: 'Invalid', message: 'spec.template', permanent: true }
    const { errorStatus } = actionOf({ row: admittedRow(), refusal }, 'commitFailure')
    expect(errorStatus).to.equal('INTERNAL_ERROR')
  })

  it('fails a command with the reason of its pod when no runner starts in time', () => {
    const message = 'Back-off pulling image'
    const waiting = pod({ transfer: { state: 'waiting', reason: 'ImagePullBackOff', message } })
    const late = { jobs: [job()], pods: [waiting], elapsed: elapsed({ placed: 601 }) }
    const ending = actionOf({ row: admittedRow(), ...late }, 'commitFailure')
    expect(ending.errorStatus).to.equal('START_TIMEOUT')
    expect(ending.message).to.equal(
      `No runner started within 600 seconds: ImagePullBackOff: ${message}`,
    )
  })

  it('reconciles again when the start timeout ends', () => {
    const late = elapsed({ placed: 590 })
    const plan = reconcile(
      snapshot({ row: admittedRow(), jobs: [job()], pods: [pod()], elapsed: late }),
    )
    expect(plan.requeueAfterMs).to.equal(10_000)
  })
})
