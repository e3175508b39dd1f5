import { setTimeout as delay } from 'node:timers/promises'
import { customResourceName, jobName } from '../../../common/domain/resource-names.ts'
import { runnerTimes } from './runner-times.ts'
import type {
  Client,
  CommandStatusRecord,
  SingleSubmission,
  Submission,
} from '../../../cli/client/client.ts'
import type { Arrivals } from './arrivals.ts'
import type { PodTimes } from './pod-times.ts'
import type { StartTimes } from './start-stages.ts'

/** All in ms; the last four from the answer to the submission. */
export interface CommandTimes {
  /** The submission itself: request to answer. */
  readonly accept: number
  /** Both containers have started, as a watcher of the pod sees it. */
  readonly running: number
  /** FFmpeg is about to be spawned: the runner's log line, compared by the wall clocks of node and benchmark. */
  readonly ffmpegStarted: number
  /** The event of SUCCESS has come. */
  readonly successVisible: number
  /** `total_processing_seconds` - `ffmpeg_command_run_seconds`, both from the record. */
  readonly overhead: number
  readonly stages: StartTimes
}

/**
 * One frame: nothing but overhead. On two vCPUs: on one, the ffprobe that starts beside FFmpeg takes
 * 60 ms of FFmpeg's own quota, which would count as FFmpeg's seconds and flatter the overhead.
 */
export const tinyCommand: SingleSubmission = {
  input_files: {},
  output_files: { out_1: 'tiny.png' },
  ffmpeg_command: '-f lavfi -i testsrc2=duration=0.1:size=64x64 -frames:v 1 {{out_1}}',
  vcpu_count: 2,
}

interface Deps {
  readonly client: Client
  readonly podTimes: PodTimes
  readonly resources: Arrivals
  readonly jobs: Arrivals
  /** Log of the pod's container `transfer`. */
  readonly transferLog: (pod: string) => Promise<string>
}

/** Runs the tiny command and waits until its pod is gone from the node's processors. */
export async function measureCommand(deps: Deps): Promise<CommandTimes> {
  const { client, podTimes } = deps
  const begun = performance.now()
  const { command_id } = await client.submit(tinyCommand)
  const accepted = performance.now()
  await untilSuccess(client, command_id)
  const visible = performance.now()
  const record = await pollUntilEnd(client, command_id)
  const job = jobName(command_id, 1)
  const runner = runnerTimes(await deps.transferLog(await podTimes.ended(job)))
  const pod = await podTimes.stages(job)
  const fromWall = (wallMs: number): number => wallMs - performance.timeOrigin - begun
  const fromWatch = (ms: number | null | undefined): number => (ms ?? Number.NaN) - begun
  const ready = fromWall(runner.at('ready to run'))
  const ffmpegMs = (record.ffmpeg_command_run_seconds ?? Number.NaN) * 1_000
  return {
    accept: accepted - begun,
    running: (await podTimes.startedMs(job)) - accepted,
    ffmpegStarted: ready - (accepted - begun),
    successVisible: visible - accepted,
    overhead: overheadMs(record),
    stages: {
      'submission-stored': accepted - begun,
      'custom-resource-seen': fromWatch(deps.resources.of(customResourceName(command_id))),
      'job-seen': fromWatch(deps.jobs.of(job)),
      'pod-seen': fromWatch(pod.created),
      'pod-scheduled': fromWatch(pod.scheduled),
      'sandbox-seen': fromWatch(pod.sandbox),
      'transfer-process-started': fromWall(runner.started),
      'assignment-asked': fromWall(runner.at('requesting the assignment')),
      'assignment-answered': fromWall(runner.at('assigned')),
      'supervisor-ready': ready,
      'ffmpeg-ended': ready + ffmpegMs,
      'outputs-probed-and-stored': fromWall(runner.at('reports its result')),
      'result-accepted': fromWall(runner.at('reported')),
      'success-visible': visible - begun,
    },
  }
}

/** @throws where the command did not succeed: its times would be those of something else */
export async function pollUntilEnd(
  client: Client,
  commandId: string,
): Promise<CommandStatusRecord> {
  const end = performance.now() + 120_000
  for (;;) {
    const record = await client.getCommand(commandId)
    if (record.status === 'SUCCESS') return record
    if (record.status === 'FAILED' || performance.now() > end) {
      throw new Error(`command ${commandId}: ${record.status}, ${record.error_message ?? ''}`)
    }
    await delay(pollMs)
  }
}

const pollMs = 20

/** Not by polls: fifty a second take a tenth of what this machine has, while it is measured. */
async function untilSuccess(client: Client, commandId: string): Promise<void> {
  for await (const { status, error_status } of client.getCommandEvents(commandId)) {
    if (status === 'FAILED') throw new Error(`command ${commandId}: ${error_status ?? ''}`)
  }
}

function overheadMs(record: CommandStatusRecord): number {
  const { total_processing_seconds: total, ffmpeg_command_run_seconds: ffmpeg } = record
  if (total === null || ffmpeg === null) throw new Error('the record lacks its seconds')
  return (total - ffmpeg) * 1_000
}

export interface Finished {
  /** From the submission until the event of SUCCESS, in ms. */
  readonly totalMs: number
  /** `ffmpeg_command_run_seconds`, in ms. */
  readonly ffmpegMs: number
  readonly record: CommandStatusRecord
}

/** @throws where the command did not succeed */
export async function runSubmission(client: Client, submission: Submission): Promise<Finished> {
  const begun = performance.now()
  const { command_id } = await client.submit(submission)
  await untilSuccess(client, command_id)
  const totalMs = performance.now() - begun
  const record = await pollUntilEnd(client, command_id)
  return {
    totalMs,
    ffmpegMs: (record.ffmpeg_command_run_seconds ?? Number.NaN) * 1_000,
    record,
  }
}
