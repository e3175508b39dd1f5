import { patienceMs } from '../../local-cluster/host/wait-for.ts'
import { eventually } from './eventually.ts'
import { ApiError } from '../../cli/client/errors.ts'
import type { Client, CommandStatusRecord, SingleSubmission } from '../../cli/client/client.ts'

/** A command that runs for about `seconds` on any machine: FFmpeg reads its source in real time. */
export function runsFor(seconds: number): SingleSubmission {
  return {
    input_files: {},
    output_files: { out_1: 'slow.mp4' },
    ffmpeg_command: `-re -f lavfi -i testsrc2=size=160x120:rate=10:duration=${seconds} -c:v libx264 -preset ultrafast {{out_1}}`,
    vcpu_count: 1,
  }
}

/** The record once the command has ended, failed or not. */
export function untilEnd(
  client: Client,
  commandId: string,
  seconds = patienceMs / 1_000,
): Promise<CommandStatusRecord> {
  return client.waitFor(commandId, { pollMs: 200, signal: AbortSignal.timeout(seconds * 1000) })
}

export async function submitAndWait(
  client: Client,
  submission: SingleSubmission,
): Promise<CommandStatusRecord> {
  const { command_id } = await client.submit(submission)
  return untilEnd(client, command_id)
}

/** Resolves once the command has got as far as running FFmpeg. */
export async function untilFfmpegRuns(
  client: Client,
  commandId: string,
): Promise<CommandStatusRecord> {
  const record = await eventually('FFmpeg runs', async () => {
    const now = await client.getCommand(commandId)
    const ended = now.status === 'FAILED' || now.status === 'SUCCESS'
    return (ended || now.processing_stage === 'FFMPEG_PROCESSING') && now
  })
  if (record.processing_stage !== 'FFMPEG_PROCESSING') {
    throw new Error(`ended as ${record.status} before it ran: ${record.error_message ?? ''}`)
  }
  return record
}

/** The status and text with which the service refuses a call. */
export async function refused(call: Promise<unknown>): Promise<{ status: number; detail: string }> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, detail: error.detail }
}
