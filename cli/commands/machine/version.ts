import { cliCommand } from '../../terminal/cli-command.ts'

export const version = cliCommand({
  summary: 'the version of this tool',
  example: 'version',
  run(_, shell, { program }) {
    shell.print(program.version() ?? 'unknown')
    return Promise.resolve(0)
  },
})
