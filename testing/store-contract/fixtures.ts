import type { ErrorStatus } from '../../common/domain/failures.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { NewFile } from '../../common/store/files.ts'
import type { Outcome, OutcomeCommit, Progress } from '../../common/store/attempts.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'

const effects = systemEffects()
export const newId = (): string => effects.newId()

export const source = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  inputCompressedFolder: null,
  outputFiles: { out_1: 'o.mp4' },
}

export function newCommand(accountId: string): NewCommand {
  return {
    commandId: newId(),
    accountId,
    environmentName: null,
    commandType: 'FFMPEG_COMMAND',
    source,
    originalRequest: { ffmpeg_command: '-i {{in_1}} {{out_1}}' },
    metadata: null,
    vcpuCount: 2,
    maxRunSeconds: 300,
    isPrivate: false,
    outputTtlSeconds: null,
    priority: 'normal',
    webhookUrl: null,
  }
}

export function newFile(commandId: string, name = 'o.mp4'): NewFile {
  return {
    fileId: newId(),
    alias: 'out_1',
    key: `public/a/${commandId}/pod/${name}`,
    sizeBytes: 2_000,
    compressedBytes: null,
    fileCount: null,
    media: { ...unknownMedia, duration: 1.5, codec: 'h264' },
  }
}

export const queuedStep = {
  index: 0,
  status: 'QUEUED',
  progress_percent: null,
  ffmpeg_command_run_seconds: null,
  exit_code: null,
} as const

export function progressOf(commandId: string, attempt: string): Progress {
  return {
    commandId,
    attempt,
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    progressPercent: null,
    steps: [queuedStep],
    logs: [{ step: 0, sequence: 0, text: 'frame=1' }],
  }
}

export function commitOf(
  commandId: string,
  attempt: string | null,
  outcome: Outcome = { status: 'SUCCESS', files: [] },
): OutcomeCommit {
  const usage = {
    inputBytes: 1_000,
    outputBytes: 2_000,
    ffmpegStarted: true,
    ffmpegRunSeconds: 2.5,
  }
  const status = outcome.status === 'SUCCESS' ? 'SUCCESS' : 'FAILED'
  return { commandId, attempt, outcome, steps: [{ ...queuedStep, status }], usage, logs: [] }
}

export function failed(errorStatus: ErrorStatus) {
  return { status: 'FAILED', errorStatus, errorMessage: `because ${errorStatus}` } as const
}

export function lossOf(
  commandId: string,
  change: Partial<Parameters<LifecycleStore['loseAttempt']>[0]>,
) {
  return {
    commandId,
    round: 1,
    attempt: null,
    podUid: null,
    reason: 'Evicted',
    charged: false,
    sameRound: false,
    maxAttempts: 3,
    ...change,
  }
}
