import { unknownMedia } from '../../common/gateway/unknown-media.ts'

/** Messages as a runner sends them. */
const step = {
  index: 0,
  status: 'SUCCESS',
  progress_percent: 100,
  ffmpeg_command_run_seconds: 2,
  exit_code: 0,
}
const usage = { inputBytes: 10, outputBytes: 20, ffmpegStarted: true, ffmpegRunSeconds: 2 }
const media = {
  ...unknownMedia,
  duration: 1,
  file_type: 'video',
  file_format: 'mp4',
  width: 2,
  height: 2,
  codec: 'h264',
  mime_type: 'video/mp4',
}
const file = {
  alias: 'out_1',
  path: 'o.mp4',
  sizeBytes: 21,
  compressedBytes: null,
  fileCount: null,
  media,
}
export const success = {
  outcome: { status: 'SUCCESS', files: [file] },
  steps: [step],
  usage,
  logs: [],
}
export const failure = (errorStatus: string) => ({
  outcome: { status: 'FAILED', errorStatus, errorMessage: 'because' },
  steps: [{ ...step, status: 'FAILED', exit_code: 1 }],
  usage,
  logs: [],
})
export const progress = {
  status: 'PROCESSING',
  stage: 'FFMPEG_PROCESSING',
  progressPercent: 40,
  steps: [{ ...step, status: 'PROCESSING', exit_code: null }],
  logs: [{ step: 0, sequence: 0, text: 'frame=1' }],
}
export const lost = { steps: [{ ...step, status: 'PROCESSING' }], usage, logs: [] }

export interface Grant {
  readonly uploadId?: string
  readonly partBytes?: number
  readonly urls?: string[]
  readonly url?: string
  readonly headers?: Record<string, string>
}

export function grantOf(body: unknown): Grant {
  return grantsOf(body)[0] ?? {}
}

export function grantsOf(body: unknown): Grant[] {
  return (body as { grants: Grant[] }).grants
}

export function urlsOf(body: unknown): string[] {
  return (body as { urls: string[] }).urls
}

export function inputsOf(body: unknown) {
  return (body as { inputs: { url: string; stored: string | null }[] }).inputs
}
