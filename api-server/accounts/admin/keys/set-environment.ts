import { changeKey } from './change.ts'
import type { AdminCommand } from '../admin-command.ts'

export const setEnvironment: AdminCommand = {
  name: 'keys set-environment',
  summary: 'changes the environment_name of what is made with a key from now on',
  positionals: ['KEY_ID', 'NAME|none'],
  options: {},
  run(deps, given) {
    const name = given.positional('NAME|none')
    return changeKey(deps, given, { environmentName: name === 'none' ? null : name })
  },
}
