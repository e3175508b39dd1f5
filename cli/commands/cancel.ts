import { cancelQueued } from '../existing/cancel-queued.ts'
import { recordText } from './record-text.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { UsageError } from '../terminal/usage-error.ts'

export const cancel = cliCommand({
  summary: 'end a command, or all that are queued',
  about:
    'Ends a command that has not ended, and waits until it has; one that runs takes some seconds.',
  example: 'cancel COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: { ...whichOptions, '--all-queued': 'cancel every command that is queued now' },
  async run({ COMMAND_ID, last, allQueued }, shell) {
    if (allQueued) {
      if (COMMAND_ID === undefined && !last) return cancelQueued(shell)
      throw new UsageError('--all-queued means every queued command: leave the id out')
    }
    const id = await whichCommand(shell, COMMAND_ID, last)
    const client = shell.client()
    await client.cancelCommand(id, { signal: shell.signal })
    const record = await client.waitFor(id, {
      pollMs: 500,
      signal: shell.signal,
      onPoll: () => shell.progress.show(`cancelling ${id}`),
    })
    shell.progress.clear()
    shell.print(recordText(record))
    return record.error_status === 'CANCELLED' ? 0 : 1
  },
})
