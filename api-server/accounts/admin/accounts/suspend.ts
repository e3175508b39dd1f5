import { change } from './change.ts'
import type { AdminCommand } from '../admin-command.ts'

export const suspendAccount: AdminCommand = {
  name: 'accounts suspend',
  summary:
    'refuses new commands and files of an account; it may read and delete, what runs goes on',
  positionals: ['ACCOUNT'],
  options: {},
  run: (deps, given) => change(deps, given, { suspended: true }),
}
