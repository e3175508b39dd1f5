import { accountJson, accountTable } from '../account-view.ts'
import { findAccount } from '../find-account.ts'
import { keyJson, keyTable } from '../key-view.ts'
import type { AdminCommand } from '../admin-command.ts'

export const showAccount: AdminCommand = {
  name: 'accounts show',
  summary: 'shows one account and its keys',
  positionals: ['ACCOUNT'],
  options: {},
  async run(deps, given) {
    const account = await findAccount(deps, given.positional('ACCOUNT'))
    const keys = await deps.store.listApiKeys(account.accountId)
    return {
      text: `${accountTable([account])}\n\n${keyTable(keys)}`,
      json: { ...accountJson(account), keys: keys.map(keyJson) },
    }
  },
}
