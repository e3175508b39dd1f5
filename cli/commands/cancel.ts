import { summary } from './status.ts'
import { exactly, parsed } from '../parse.ts'
import type { Shell } from '../shell.ts'

/** Ends a command that has not ended; one that runs takes some seconds. */
export async function cancel(args: string[], shell: Shell): Promise<number> {
  const { COMMAND_ID: id } = exactly(parsed(args, {}).positionals, 'COMMAND_ID')
  const client = shell.client()
  await client.cancelCommand(id, { signal: shell.signal })
  const record = await client.waitFor(id, {
    pollMs: 500,
    signal: shell.signal,
    onPoll: () => shell.progress.show(`cancelling ${id}`),
  })
  shell.progress.clear()
  shell.print(summary(record))
  return record.error_status === 'CANCELLED' ? 0 : 1
}
