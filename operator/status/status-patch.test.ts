import { expect } from 'chai'
import {
  admittedRow,
  row,
  runningRow,
  statusContext,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import { shownStatus } from '../observe/shown-status.ts'
import { statusFor } from './state.ts'
import { patchTiming, statusPatch } from './status-patch.ts'

function statusOf(value: ReconcileRow, shown: FfmpegCommandStatus = {}): FfmpegCommandStatus {
  const jobName = value.jobGeneration === 0 ? null : 'ffc-x-1'
  return statusFor(value, statusContext({ shown: shownStatus(shown), jobName }))
}

const fresh = { pendingMs: 0, sincePatchMs: null }

describe('patchTiming', () => {
  it('returns `unchanged` when the status is shown already, for any order of its keys', () => {
    const status = statusOf(runningRow())
    const reordered = Object.fromEntries(Object.entries(status).toReversed())
    expect(patchTiming(status, shownStatus(reordered), fresh).kind).to.equal('unchanged')
  })

  it('returns a delay for every status before the end, so that a short command is written once', () => {
    expect(patchTiming(statusOf(row()), shownStatus({}), fresh)).to.deep.equal({
      kind: 'later',
      afterMs: 1500,
    })
    const settled = { pendingMs: 1500, sincePatchMs: null }
    for (const value of [admittedRow(), runningRow()]) {
      expect(patchTiming(statusOf(value), shownStatus({}), fresh).kind).to.equal('later')
      expect(patchTiming(statusOf(value), shownStatus({}), settled).kind).to.equal('now')
    }
  })

  it('returns no delay for the status of an end', () => {
    const shown = shownStatus(statusOf(runningRow()))
    const soon = { pendingMs: 0, sincePatchMs: 1 }
    expect(patchTiming(statusOf(succeededRow()), shown, soon).kind).to.equal('now')
  })

  it('returns what is left of 10 s when only progress, stage or PREPARED_FFMPEG_COMMAND is new', () => {
    const shown = shownStatus(statusOf(runningRow({ stage: 'DOWNLOADING' })))
    for (const next of [
      runningRow({ progressPercent: 50 }),
      runningRow({ stage: 'UPLOADING' }),
      runningRow({ status: 'PREPARED_FFMPEG_COMMAND', stage: 'PREPARING_INPUT_FILES' }),
    ]) {
      const timing = patchTiming(statusOf(next), shown, { pendingMs: 0, sincePatchMs: 4000 })
      expect(timing).to.deep.equal({ kind: 'later', afterMs: 6000 })
    }
  })
})

describe('statusPatch', () => {
  it('clears fields that the new status does not have', () => {
    expect(statusPatch(statusOf(succeededRow()))).to.deep.include({
      stage: null,
      queuePosition: null,
      errorStatus: null,
    })
  })

  it('returns every condition, because a merge patch replaces the list', () => {
    expect(statusPatch(statusOf(row()))['conditions']).to.have.length(8)
  })
})
