import { refusal } from '../../http/errors.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'

/** @throws Refusal 404 for unknown ids and other accounts' ids alike */
export async function existingState(
  store: Pick<Store, 'findState'>,
  key: AuthenticatedKey,
  sentId: string,
  fields: Record<string, string>,
): Promise<CommandState> {
  const commandId = sentId.toLowerCase()
  fields['command_id'] = commandId
  const state = await store.findState(key.account.accountId, commandId)
  if (state === null) throw refusal(404, 'Command not found')
  return state
}
