import { accountJson, accountTable, findAccount } from './account-records.ts'
import { AdminError } from '../command/admin-command.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const deleteAccount: AdminCommand = {
  name: 'accounts delete',
  summary:
    'deletes an account with all its commands, files and keys; it cannot be taken back and takes up to a day',
  positionals: ['ACCOUNT'],
  options: { confirm: { value: 'NAME', summary: "the account's name once more" } },
  async run(deps, given) {
    const { accountId, name } = await findAccount(deps, given.positional('ACCOUNT'))
    const confirmed = given.option('confirm')
    if (confirmed !== name) {
      const got = confirmed === null ? 'it is missing' : `got '${confirmed}'`
      throw new AdminError(`--confirm must be the name of the account, '${name}'; ${got}`)
    }
    await deps.store.beginAccountDeletion(accountId)
    const account = await findAccount(deps, accountId)
    return {
      text: `${accountTable([account], deps.effects.clock.wall())}\n\nIts keys are refused within 5 seconds; the operator deletes the rest.`,
      json: accountJson(account),
    }
  },
}
