import { changeKey } from './change.ts'
import type { AdminCommand } from '../admin-command.ts'

export const revokeKey: AdminCommand = {
  name: 'keys revoke',
  summary: 'disables a key for good; servers notice within 5 seconds',
  positionals: ['KEY_ID'],
  options: {},
  run: (deps, given) => changeKey(deps, given, { disabled: true }),
}
