import { failures, isErrorStatus } from '../../common/domain/failures.ts'
import { logTail } from './follow-command.ts'
import type { Client } from '../client/client.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The end of FFmpeg's log, and the error. */
export async function sayFailure(
  client: Client,
  shell: Shell,
  record: CommandStatusRecord,
): Promise<void> {
  const tail = await logTail(client, record.command_id)
  if (tail !== '') shell.progress.say(tail)
  shell.progress.say(failureText(record))
}

/** Error of a failed command, with its remedy. */
export function failureText(record: CommandStatusRecord): string {
  const { error_status: kind, error_message: message } = record
  const isKnown = kind !== null && isErrorStatus(kind) && kind !== 'CANCELLED'
  return `${kind}: ${message}${isKnown ? `\n${failures[kind].remedy}` : ''}`
}
