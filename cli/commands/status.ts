import { recordText } from './record-text.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'

export const status = cliCommand({
  summary: "a command's state, outputs or error",
  about: 'Prints the state, outputs or error of a command. Exit code 1 where it has failed.',
  example: 'status COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: { ...whichOptions, '--json': "print the command's record" },
  async run({ COMMAND_ID, last, json }, shell) {
    const id = await whichCommand(shell, COMMAND_ID, last)
    const record = await shell.client().getCommand(id, {}, { signal: shell.signal })
    shell.print(json ? JSON.stringify(record, null, 2) : recordText(record))
    return record.status === 'FAILED' ? 1 : 0
  },
})
