import { failures, isErrorStatus } from '../../common/domain/failures.ts'
import { logTail } from './follow-command.ts'
import type { Client } from '../client/client.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The end of FFmpeg's log, and the error; an error that FFmpeg does not know stands before its log. */
export async function sayFailure(
  client: Client,
  shell: Shell,
  record: CommandStatusRecord,
): Promise<void> {
  const tail = await logTail(client, record.command_id)
  const isStopped = record.error_status === 'COMMAND_TIMEOUT'
  const parts = isStopped
    ? [failureText(record), withoutStatistics(tail)]
    : [tail, failureText(record)]
  for (const part of parts) if (part !== '') shell.progress.say(part)
}

/** FFmpeg writes those of its encoders when it is stopped; the service leaves out their addresses. */
export function withoutStatistics(log: string): string {
  const lines = log.split('\n')
  return lines
    .filter((line) => !/^\[(?:lib\w+|aac)(?: @ \w+)?\]|^(?:x265 \[|encoded )/.test(line))
    .join('\n')
}

/** Error of a failed command, with its remedy. */
export function failureText(
  record: Pick<CommandStatusRecord, 'error_status' | 'error_message'>,
): string {
  const { error_status: kind, error_message: message } = record
  const isKnown = kind !== null && isErrorStatus(kind) && kind !== 'CANCELLED'
  return `${kind}: ${message}${isKnown ? `\n${withOption(failures[kind].remedy)}` : ''}`
}

/** A user of the tool sets the field of the API by an option. */
function withOption(remedy: string): string {
  return remedy.replace('max_command_run_seconds', '$& (--timeout)')
}
