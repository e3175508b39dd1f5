import { cliCommand } from '../../terminal/cli-command.ts'

export const profiles = cliCommand({
  summary: 'the profiles that login keeps, with their addresses; the current one is marked',
  example: 'profiles',
  async run(_, shell) {
    const { current, byName } = await shell.profiles.read()
    for (const [name, { url }] of Object.entries(byName)) {
      shell.print(`${name === current ? '*' : ' '} ${name.padEnd(16)} ${url}`)
    }
    return 0
  },
})
