import { consolePage } from '../existing/console-page.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'

export const open = cliCommand({
  summary: "the console's page of a command",
  about:
    "Opens the console's page of a command, or its list, in a browser; without a browser it prints the address.",
  example: 'open COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: whichOptions,
  async run({ COMMAND_ID, last }, shell) {
    const isList = COMMAND_ID === undefined && !last
    const id = isList ? null : await whichCommand(shell, COMMAND_ID, last)
    const page = consolePage(shell.connection().url, id)
    const isOpen = await shell.openPage(page)
    if (isOpen) shell.progress.say(page)
    else shell.print(page)
    return 0
  },
})
