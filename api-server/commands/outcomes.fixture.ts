import { expect } from 'chai'
import { admitWaiting } from '../../testing/support/admit-waiting.ts'
import type { TestApp } from '../app.fixture.ts'

/** Dispatches, admits and starts a command. @returns the attempt */
export async function start(app: TestApp, commandId: string): Promise<string> {
  const { store } = app
  await store.markDispatched(commandId, `uid-${commandId}`)
  await admitWaiting(store, app.account.accountId)
  const podUid = `pod-${commandId}`
  const claimed = await store.claimAttempt({ commandId, round: 1, podUid })
  if (claimed.kind !== 'assigned') return expect.fail(claimed.kind)
  await store.storeProgress({
    commandId,
    attempt: podUid,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: 42,
    steps: claimed.row.steps.map(({ index }) => step('PROCESSING', 42, index)),
    logs: [],
  })
  return podUid
}

export async function succeed(app: TestApp, commandId: string): Promise<void> {
  const attempt = await start(app, commandId)
  const nothing = { duration: null, width: null, height: null, codec: null, timebase: null }
  const file = {
    fileId: commandId.replace(/^./, '1'),
    alias: 'out_1',
    key: `public/${commandId}/small.mp4`,
    sizeBytes: 1_048_576,
    compressedBytes: null,
    fileCount: null,
    media: {
      ...nothing,
      file_type: 'video',
      file_format: 'mp4',
      pixel_format: null,
      mime_type: 'video/mp4',
      frame_rate: null,
      bitrate_video_kb: null,
      bitrate_audio_kb: null,
      video_profile_level: null,
      is_varying_frame_rate: null,
    },
  }
  const usage = {
    inputBytes: 2_097_152,
    outputBytes: 1_048_576,
    ffmpegStarted: true,
    ffmpegRunSeconds: 1.5,
  }
  const outcome = { status: 'SUCCESS' as const, files: [file] }
  const steps = [step('SUCCESS', 100)]
  const report = { commandId, attempt, outcome, steps, usage, logs: [] }
  expect(await app.store.commitOutcome(report)).to.deep.equal({ kind: 'committed' })
}

export async function fail(app: TestApp, commandId: string): Promise<void> {
  const outcome = {
    status: 'FAILED',
    errorStatus: 'CANCELLED',
    errorMessage: 'Cancelled by request',
  } as const
  const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
  expect(await app.store.commitOutcome(report)).to.deep.equal({ kind: 'committed' })
}

function step(status: 'PROCESSING' | 'SUCCESS', percent: number, index = 0) {
  return {
    index,
    status,
    progress_percent: percent,
    ffmpeg_command_run_seconds: null,
    exit_code: null,
  }
}
