import { accountJson, accountTable } from '../account-view.ts'
import type { AdminCommand } from '../admin-command.ts'

export const listAccounts: AdminCommand = {
  name: 'accounts list',
  summary: 'shows all accounts',
  positionals: [],
  options: {},
  async run({ store }) {
    const accounts = await store.listAccounts(null)
    return { text: accountTable(accounts), json: accounts.map(accountJson) }
  },
}
