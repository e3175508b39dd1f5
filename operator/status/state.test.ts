import { expect } from 'chai'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import {
  admittedRow,
  failedRow,
  row,
  runningRow,
  statusContext,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { shownStatus } from '../observe/shown-status.ts'
import { rejectedStatus, statusFor } from './state.ts'

const context = statusContext({
  waiting: { reason: 'WaitingForQuota', message: 'Needs 2 vCPUs; the account uses 4 of its 4' },
})

function conditions(status: FfmpegCommandStatus): Record<string, string> {
  return Object.fromEntries(
    (status.conditions ?? []).map(({ type, status: holds, reason }) => [
      type,
      `${holds} ${reason}`,
    ]),
  )
}

function timesIn(status: FfmpegCommandStatus): Record<string, string> {
  return Object.fromEntries(
    (status.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
  )
}

describe('statusFor', () => {
  it('shows why a command waits and its place in the queue', () => {
    const status = statusFor(row({ queuePosition: 3 }), context)
    expect(status).to.deep.include({ state: 'QUEUED', reason: 'WaitingForQuota', queuePosition: 3 })
    expect(conditions(status)).to.deep.equal({
      Admitted: 'False WaitingForQuota',
      Running: 'False WaitingForQuota',
      Complete: 'False Running',
      Failed: 'False Running',
      Finished: 'False Running',
      Recorded: 'False Running',
      Reconciling: 'True WaitingForQuota',
      Stalled: 'False Running',
    })
  })

  it('shows no place in the queue above 100', () => {
    expect(statusFor(row({ queuePosition: 101 }), context)).to.not.have.property('queuePosition')
  })

  it('shows the reason of a pod that cannot start', () => {
    const waiting = { reason: 'Unschedulable', message: '0/1 nodes are available' }
    const status = statusFor(admittedRow(), { ...context, waiting })
    expect(conditions(status)).to.deep.include({
      Admitted: 'True Admitted',
      Running: 'False Unschedulable',
    })
  })

  it('shows stage, progress and steps of a run', () => {
    const status = statusFor(
      runningRow({
        progressPercent: 42,
        steps: [
          {
            index: 0,
            status: 'PROCESSING',
            progress_percent: 42,
            ffmpeg_command_run_seconds: 1.5,
            exit_code: null,
          },
        ],
      }),
      context,
    )
    expect(status).to.deep.include({
      state: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      progressPercent: 42,
      reason: 'Running',
    })
    expect(status.steps).to.deep.equal([
      { index: 0, status: 'PROCESSING', progressPercent: 42, runSeconds: 1.5 },
    ])
  })

  it('shows outcome, outputs and conditions of a finished command in one status', () => {
    const status = statusFor(succeededRow(), context)
    expect(status.outputs).to.deep.equal({
      count: 1,
      bytes: 2048,
      firstUrl: 'https://cdn.example/public/a/c/p/small.mp4',
      files: [{ alias: 'out_1', url: 'https://cdn.example/public/a/c/p/small.mp4' }],
    })
    expect(conditions(status)).to.deep.include({
      Complete: 'True Succeeded',
      Failed: 'False Succeeded',
      Finished: 'True Succeeded',
      Recorded: 'True Recorded',
      Reconciling: 'False Finished',
      Stalled: 'False Finished',
    })
  })

  it('lists the first outputs and says how many there are besides', () => {
    const first = Array.from({ length: 10 }, (_, index) => ({
      alias: `out_${index}`,
      key: index === 3 ? `public/${'x'.repeat(2048)}` : `public/${index}.mp4`,
    }))
    const { outputs } = statusFor(
      succeededRow({ outputs: { count: 12, bytes: 4096, first } }),
      context,
    )
    expect(outputs?.files?.map(({ alias }) => alias)).to.deep.equal(
      [0, 1, 2, 4, 5, 6, 7, 8, 9].map((index) => `out_${index}`),
    )
    expect(outputs?.files?.at(-1)?.url).to.equal('https://cdn.example/public/9.mp4')
    expect(outputs).to.include({ more: 3, firstUrl: 'https://cdn.example/public/0.mp4' })
  })

  it('shows the error status and message of a failed command', () => {
    const status = statusFor(failedRow(), context)
    expect(status).to.deep.include({ errorStatus: 'FFMPEG_FAILED', reason: 'FfmpegFailed' })
    expect(conditions(status)).to.deep.include({
      Complete: 'False Failed',
      Failed: 'True FfmpegFailed',
      Finished: 'True FfmpegFailed',
      Stalled: 'True FfmpegFailed',
    })
  })

  it('a status stays under 4 KiB with the longest messages', () => {
    const long = 'ö'.repeat(4000)
    const steps = Array.from({ length: 10 }, (_, index) => ({
      index,
      status: 'SUCCESS' as const,
      progress_percent: 100,
      ffmpeg_command_run_seconds: 1234.567891,
      exit_code: 0,
    }))
    const ascii = statusFor(failedRow({ errorMessage: 'x'.repeat(4000), steps }), context)
    expect(Buffer.byteLength(JSON.stringify(ascii))).to.be.below(4096)
    const { message = '', errorMessage = '' } = statusFor(
      failedRow({ errorMessage: long }),
      context,
    )
    expect(Math.max(message.length, errorMessage.length)).to.be.at.most(1024)
  })

  it('gives the conditions of a command that is shown at its end alone the times of its row', () => {
    const [startedAt, finishedAt] = ['2026-05-01T10:00:01.000Z', '2026-05-01T10:00:03.000Z']
    const ended = succeededRow({
      startedAt: new Date(startedAt),
      finishedAt: new Date(finishedAt),
    })
    const queuedAt = ended.createdAt.toISOString()
    expect(timesIn(statusFor(ended, context))).to.deep.equal({
      Admitted: startedAt,
      Running: finishedAt,
      Complete: finishedAt,
      Failed: queuedAt,
      Finished: finishedAt,
      Recorded: finishedAt,
      Reconciling: finishedAt,
      Stalled: queuedAt,
    })
  })

  it('changes the time of a condition only when its status changes', () => {
    const before = statusFor(admittedRow(), { ...context, now: '2026-05-01T10:00:00Z' })
    const after = statusFor(runningRow(), { ...context, shown: shownStatus(before) })
    expect(timesIn(after)).to.deep.include({
      Admitted: '2026-05-01T10:00:00Z',
      Running: '2026-05-01T10:00:02.000Z',
      Complete: '2026-05-01T10:00:00.000Z',
    })
  })
})

describe('rejectedStatus', () => {
  it('returns a failed status without a record', () => {
    const why = {
      reason: 'Rejected',
      message: "spec.account must name an existing account; got 'acme'",
    }
    const status = rejectedStatus(why, context)
    expect(conditions(status)).to.deep.include({
      Failed: 'True Rejected',
      Finished: 'True Rejected',
      Recorded: 'False Rejected',
      Stalled: 'True Rejected',
    })
    expect(shownStatus(status).rejected).to.equal(true)
  })
})
