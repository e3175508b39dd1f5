import { unknownMedia } from '../../../common/gateway/unknown-media.ts'
import { newFile, commitOf, queuedStep } from '../../store-contract/fixtures.ts'
import { expect } from 'chai'
import { admitWaiting } from '../admit-waiting.ts'
import type { TestApp } from './app.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'

export const cancelled = {
  status: 'FAILED',
  errorStatus: 'CANCELLED',
  errorMessage: 'Cancelled by request',
} as const

/** Dispatches, admits and assigns a command to the pod `pod-ID`. */
export async function claim({ store, account }: TestApp, commandId: string, of = account) {
  await store.markDispatched(commandId, `uid-${commandId}`)
  await admitWaiting(store, of.accountId)
  const podUid = `pod-${commandId}`
  const claimed = await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
  return claimed.kind === 'assigned' ? { podUid, row: claimed.row } : expect.fail(claimed.kind)
}

/** Starts a command. @returns the attempt */
export async function start(app: TestApp, commandId: string): Promise<string> {
  const { podUid, row } = await claim(app, commandId)
  const step = { ...queuedStep, status: 'PROCESSING', progress_percent: 42 } as const
  const steps = row.steps.map(({ index }) => ({ ...step, index }))
  await app.store.storeProgress({
    commandId,
    attempt: podUid,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: 42,
    steps,
    logs: [],
  })
  return podUid
}

const video = {
  ...unknownMedia,
  file_type: 'video',
  file_format: 'mp4',
  mime_type: 'video/mp4',
} as const

/** Starts a command and ends it with one file of 1 MB, after 2 MB were read. */
export async function succeed(app: TestApp, commandId: string, name = 'small.mp4'): Promise<void> {
  const attempt = await start(app, commandId)
  const file = {
    ...newFile(commandId),
    fileId: commandId.replace(/^./, '1'),
    key: `public/${commandId}/${name}`,
    sizeBytes: 1_048_576,
    media: name.endsWith('.png') ? { ...unknownMedia, file_type: 'image' } : video,
  }
  await commit(app, {
    ...commitOf(commandId, attempt, { status: 'SUCCESS', files: [file] }),
    steps: [{ ...queuedStep, status: 'SUCCESS', progress_percent: 100 }],
    usage: {
      inputBytes: 2_097_152,
      outputBytes: 1_048_576,
      ffmpegStarted: true,
      ffmpegRunSeconds: 1.5,
    },
  })
}

/** Cancels a command that no runner holds. */
export function fail(app: TestApp, commandId: string): Promise<void> {
  return commit(app, withoutReport(commandId, null, cancelled))
}

/** An outcome without steps, usage and logs. */
export function withoutReport(
  commandId: string,
  attempt: string | null,
  outcome: OutcomeCommit['outcome'],
): OutcomeCommit {
  return { commandId, attempt, outcome, steps: null, usage: null, logs: [] }
}

async function commit(app: TestApp, outcome: OutcomeCommit): Promise<void> {
  expect(await app.store.commitOutcome(outcome)).to.deep.equal({ kind: 'committed' })
}
