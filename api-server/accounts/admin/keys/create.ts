import { findAccount } from '../find-account.ts'
import { keyOptions, newKey } from '../new-key.ts'
import type { AdminCommand } from '../admin-command.ts'

export const createKey: AdminCommand = {
  name: 'keys create',
  summary: 'makes one more key of an account, which is shown this once',
  positionals: ['ACCOUNT'],
  options: keyOptions,
  async run(deps, given) {
    const account = await findAccount(deps, given.positional('ACCOUNT'))
    const { apiKey, stored } = newKey(deps, given)
    await deps.store.addApiKey(account.accountId, stored)
    return {
      text: `Key ${stored.keyId} of account ${account.name}, shown this once:\n${apiKey}`,
      json: {
        account_id: account.accountId,
        key_id: stored.keyId,
        label: stored.label,
        environment_name: stored.environmentName,
        api_key: apiKey,
      },
    }
  },
}
