import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { wholeNumber } from '../terminal/usage-error.ts'

export const logs = cliCommand({
  summary: 'what FFmpeg wrote; -f follows it',
  example: 'logs -f COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: {
    ...whichOptions,
    '-f, --follow': 'go on until the command has ended',
    '--step <NUMBER>': 'of one command of a chain, from 0',
  },
  async run({ COMMAND_ID, last, follow, step: text }, shell) {
    const id = await whichCommand(shell, COMMAND_ID, last)
    const step = text === undefined ? {} : { step: wholeNumber('step', text) }
    const client = shell.client()
    const { signal } = shell
    if (!follow) {
      shell.write(await client.getCommandLogs(id, step, { signal }))
      return 0
    }
    for await (const part of client.followLogs(id, { ...step, signal })) shell.write(part)
    return 0
  },
})
