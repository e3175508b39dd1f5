import { expect } from 'chai'
import type { FileProgress, ReconcileRow } from '../../common/store/reconcile.ts'
import {
  admittedRow,
  failedRow,
  row,
  runningRow,
  statusContext,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { workStatusFor } from './work-status.ts'

const context = statusContext({
  jobName: 'sf-x-1',
  waiting: { reason: 'WaitingForCapacity', message: 'Waits for its turn' },
})

const queued: FileProgress = {
  status: 'QUEUED',
  errorStatus: null,
  errorMessage: null,
  key: null,
  sizeBytes: null,
  fileType: null,
  deleted: false,
}
const key = 'public/a/f/p/clip.mov'
const stored: FileProgress = {
  ...queued,
  status: 'STORED',
  key,
  sizeBytes: 2048,
  fileType: 'video',
}

function statusOf(of: (changes: Partial<ReconcileRow>) => ReconcileRow, file: FileProgress) {
  const status = workStatusFor(of({ commandType: 'STORED_FILE', steps: [], file }), context)
  const conditions = Object.fromEntries(
    (status.conditions ?? []).map(({ type, status: holds, reason }) => [
      type,
      `${holds} ${reason}`,
    ]),
  )
  return { status, conditions }
}

describe('the status of a stored file', () => {
  it('shows why a stored file waits, in the states of the REST API', () => {
    const { status, conditions } = statusOf(row, queued)
    expect(status).to.deep.include({ state: 'QUEUED', reason: 'WaitingForCapacity' })
    expect(status).to.not.have.any.keys('queuePosition', 'stage', 'steps', 'progressPercent')
    expect(conditions).to.deep.include({ Admitted: 'False WaitingForCapacity' })
    expect(statusOf(admittedRow, queued).conditions).to.deep.include({ Admitted: 'True Admitted' })
  })

  it('shows the state of the record while a runner holds a stored file', () => {
    const { status, conditions } = statusOf(runningRow, { ...queued, status: 'DOWNLOADING' })
    expect(status).to.deep.include({ state: 'DOWNLOADING', reason: 'Running' })
    expect(conditions).to.deep.include({
      Running: 'True Running',
      Complete: 'False Running',
      Finished: 'False Running',
    })
  })

  it('shows type, size and URL of a stored file', () => {
    const { status, conditions } = statusOf(succeededRow, stored)
    expect(status).to.deep.include({
      state: 'STORED',
      reason: 'Stored',
      fileType: 'video',
      sizeBytes: 2048,
      url: `https://cdn.example/${key}`,
    })
    expect(conditions).to.deep.include({
      Complete: 'True Stored',
      Failed: 'False Stored',
      Finished: 'True Stored',
    })
  })

  it('shows STORED when an upload could not be probed', () => {
    const { status, conditions } = statusOf(failedRow, { ...stored, fileType: null })
    expect(status).to.deep.include({
      state: 'STORED',
      message: 'The file is stored; it could not be probed',
    })
    expect(status).to.not.have.any.keys('errorStatus', 'errorMessage')
    expect(conditions).to.deep.include({ Complete: 'True Stored' })
  })

  it('shows the error of the record when a stored file has failed', () => {
    const { status, conditions } = statusOf(failedRow, {
      ...queued,
      status: 'FAILED',
      errorStatus: 'QUOTA_EXCEEDED',
      errorMessage: 'The file needs 300 MB, 120 MB of storage are left',
    })
    expect(status).to.deep.include({ state: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' })
    expect(conditions).to.deep.include({
      Failed: 'True QuotaExceeded',
      Finished: 'True QuotaExceeded',
      Stalled: 'True QuotaExceeded',
    })
  })

  it('shows CANCELLED when a file was deleted before it was stored', () => {
    const deleted = { ...queued, deleted: true }
    const record = { ...deleted, status: 'FAILED', errorStatus: 'CANCELLED' } as const
    expect(statusOf(runningRow, record).status).to.deep.include({ state: 'QUEUED' })
    for (const file of [deleted, record]) {
      const { status } = statusOf(failedRow, file)
      expect(status).to.deep.include({ state: 'FAILED', errorStatus: 'CANCELLED' })
    }
  })

  it('shows STORED without a URL when a stored file is deleted', () => {
    const { status, conditions } = statusOf(succeededRow, { ...stored, deleted: true })
    expect(status).to.deep.include({ state: 'STORED', sizeBytes: 2048 })
    expect(status).to.not.have.any.keys('url', 'errorStatus')
    expect(conditions).to.deep.include({ Complete: 'True Stored' })
  })
})
