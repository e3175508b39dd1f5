import { isUuid } from '../../http/formats.ts'
import { findAccount } from './account-records.ts'
import { keyOptions, limitOptions, newKey, keyJson, keyTable } from './key-records.ts'
import { AdminError } from '../command/admin-command.ts'
import type { AdminCommand, AdminDeps, AdminResult, Given } from '../command/admin-command.ts'

export const createKey: AdminCommand = {
  name: 'keys create',
  summary: 'makes one more key of an account, which is shown this once',
  positionals: ['ACCOUNT'],
  options: { ...keyOptions, ...limitOptions },
  async run(deps, given) {
    const account = await findAccount(deps, given.positional('ACCOUNT'))
    const { apiKey, stored } = newKey(deps, given)
    const added = await deps.store.addApiKey(account.accountId, stored)
    return {
      text: `${keyTable([added], deps.effects.clock.wall())}\n\nAPI key of account ${account.name}, shown this once:\n${apiKey}`,
      json: {
        account_id: account.accountId,
        ...keyJson(added),
        api_key: apiKey,
      },
    }
  },
}

export const listKeys: AdminCommand = {
  name: 'keys list',
  readsOnly: true,
  summary: 'shows the keys of an account, never the keys themselves',
  positionals: ['ACCOUNT'],
  options: {},
  async run(deps, given) {
    const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
    const keys = await deps.store.listApiKeys(accountId)
    return { text: keyTable(keys, deps.effects.clock.wall()), json: keys.map(keyJson) }
  },
}

export const revokeKey: AdminCommand = {
  name: 'keys revoke',
  summary: 'disables a key for good; servers notice within 5 seconds',
  positionals: ['KEY_ID'],
  options: {},
  run: (deps, given) => changeKey(deps, given, { disabled: true }),
}

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

/** Changes the key named by KEY_ID and shows it. @throws AdminError */
export async function changeKey(
  { store, effects }: AdminDeps,
  given: Given,
  to: { disabled?: true; environmentName?: string | null },
): Promise<AdminResult> {
  const keyId = given.positional('KEY_ID')
  const key = isUuid(keyId) ? await store.changeApiKey(keyId, to) : null
  if (key === null) {
    throw new AdminError(`key '${keyId}' does not exist: 'keys list ACCOUNT' shows the ids`)
  }
  return { text: keyTable([key], effects.clock.wall()), json: keyJson(key) }
}
