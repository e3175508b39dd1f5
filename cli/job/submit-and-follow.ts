import { consolePage } from '../existing/console-page.ts'
import { followCommand } from './follow-command.ts'
import { sayFailure } from './say-failure.ts'
import type { Client, Submission } from '../client/client.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The record of a SUCCESS, or the exit code of what ended otherwise or runs without this tool. */
export type Followed = { readonly record: CommandStatusRecord } | { readonly exitCode: number }

/** Submits, shows the progress, and prints the cause of a failure; with `detach` it prints the id alone. */
export async function submitAndFollow(
  client: Client,
  shell: Shell,
  submission: Submission,
  values: { readonly detach: boolean; readonly json: boolean },
): Promise<Followed> {
  const { signal } = shell
  const { command_id: id, warnings = [] } = await client.submit(submission, { signal })
  for (const warning of warnings) shell.progress.say(`warning: ${warning}`)
  if (values.detach) {
    shell.print(values.json ? JSON.stringify({ command_id: id }) : id)
    shell.progress.say(consolePage(shell.connection().url, id))
    return { exitCode: 0 }
  }
  shell.progress.say(`command ${id}`)
  const record = await followCommand(client, shell, id)
  if (record.status === 'SUCCESS') {
    for (const { message } of record.warnings) shell.progress.say(`warning: ${message}`)
    return { record }
  }
  shell.progress.clear()
  if (values.json) shell.print(JSON.stringify(record, null, 2))
  await sayFailure(client, shell, record)
  return { exitCode: signal.aborted ? 130 : 1 }
}
