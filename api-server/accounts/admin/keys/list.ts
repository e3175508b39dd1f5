import { findAccount } from '../find-account.ts'
import { keyJson, keyTable } from '../key-view.ts'
import type { AdminCommand } from '../admin-command.ts'

export const listKeys: AdminCommand = {
  name: 'keys list',
  summary: 'shows the keys of an account, never the keys themselves',
  positionals: ['ACCOUNT'],
  options: {},
  async run(deps, given) {
    const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
    const keys = await deps.store.listApiKeys(accountId)
    return { text: keyTable(keys), json: keys.map(keyJson) }
  },
}
