import { pollUntilEnd } from './measure-command.ts'
import type { Client, CommandStatusRecord, Submission } from '../../../cli/client/client.ts'

export interface Finished {
  /** From the submission until a poll answers SUCCESS, in ms. */
  readonly totalMs: number
  /** `ffmpeg_command_run_seconds`, in ms. */
  readonly ffmpegMs: number
  readonly record: CommandStatusRecord
}

/** @throws where the command did not succeed */
export async function runSubmission(client: Client, submission: Submission): Promise<Finished> {
  const begun = performance.now()
  const { command_id } = await client.submit(submission)
  const record = await pollUntilEnd(client, command_id)
  return {
    totalMs: performance.now() - begun,
    ffmpegMs: (record.ffmpeg_command_run_seconds ?? Number.NaN) * 1_000,
    record,
  }
}
