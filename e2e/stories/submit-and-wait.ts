import type {
  Client,
  CommandStatusRecord,
  SingleSubmission,
} from '../../api-server/client/client.ts'

/** A command that runs for about `seconds`, whatever the machine: FFmpeg reads its source in real time. */
export function runsFor(seconds: number): SingleSubmission {
  return {
    input_files: {},
    output_files: { out_1: 'slow.mp4' },
    ffmpeg_command: `-re -f lavfi -i testsrc2=size=160x120:rate=10:duration=${seconds} -c:v libx264 -preset ultrafast {{out_1}}`,
    vcpu_count: 1,
  }
}

export async function submitAndWait(
  client: Client,
  submission: SingleSubmission,
): Promise<CommandStatusRecord> {
  const { command_id } = await client.submit(submission)
  return client.waitFor(command_id, { pollMs: 200, timeoutMs: 120_000 })
}

/** Resolves once the command has got as far as running FFmpeg. */
export async function untilFfmpegRuns(
  client: Client,
  commandId: string,
): Promise<CommandStatusRecord> {
  const record = await client.waitUntil(
    commandId,
    ({ processing_stage, status }) =>
      processing_stage === 'FFMPEG_PROCESSING' || status === 'FAILED' || status === 'SUCCESS',
    { pollMs: 100, timeoutMs: 60_000 },
  )
  if (record.processing_stage !== 'FFMPEG_PROCESSING') {
    throw new Error(`ended as ${record.status} before it ran: ${record.error_message ?? ''}`)
  }
  return record
}
