import { change } from './change.ts'
import type { AdminCommand } from '../admin-command.ts'

export const resumeAccount: AdminCommand = {
  name: 'accounts resume',
  summary: 'takes a suspension back',
  positionals: ['ACCOUNT'],
  options: {},
  run: (deps, given) => change(deps, given, { suspended: false }),
}
