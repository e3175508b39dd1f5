import type { Client, SingleSubmission } from '../../../cli/client/client.ts'

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

export interface Finished {
  readonly commandId: string
  /** Time between the submission and the event of SUCCESS, in ms. */
  readonly totalMs: number
  /** The same without the seconds of FFmpeg itself. */
  readonly overheadMs: number
}

/**
 * Follows it by events: fifty polls a second take a tenth of what this machine has, while it is measured.
 * @throws where the command did not succeed: its times would be those of something else
 */
export async function runCommand(client: Client, submission: SingleSubmission): Promise<Finished> {
  const begun = performance.now()
  const { command_id: commandId } = await client.submit(submission)
  for await (const { status, error_status } of client.getCommandEvents(commandId)) {
    if (status === 'FAILED') throw new Error(`command ${commandId}: ${error_status ?? ''}`)
  }
  const totalMs = performance.now() - begun
  const record = await client.waitFor(commandId, {
    pollMs: 20,
    signal: AbortSignal.timeout(120_000),
  })
  const ffmpegMs = (record.ffmpeg_command_run_seconds ?? Number.NaN) * 1_000
  return { commandId, totalMs, overheadMs: totalMs - ffmpegMs }
}
