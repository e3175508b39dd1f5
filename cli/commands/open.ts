import { consolePage } from '../existing/console-page.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { parsed } from '../terminal/parse.ts'
import type { Shell } from '../terminal/shell.ts'

/** Opens the console's page of a command, or its list; prints the address without a browser. */
export async function open(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, whichOptions)
  const isList = positionals.length === 0 && !values.last
  const id = isList ? null : await whichCommand(shell, positionals, values)
  const page = consolePage(shell.connection().url, id)
  const isOpen = await shell.openPage(page)
  if (isOpen) shell.progress.say(page)
  else shell.print(page)
  return 0
}
