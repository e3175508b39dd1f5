import { keyJson, keyTable } from '../key-view.ts'
import { AdminError } from '../admin-command.ts'
import type { AdminDeps, AdminResult, Given } from '../admin-command.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Changes the key named by KEY_ID and shows it. @throws AdminError */
export async function changeKey(
  { store }: AdminDeps,
  given: Given,
  to: { disabled?: true; environmentName?: string | null },
): Promise<AdminResult> {
  const keyId = given.positional('KEY_ID')
  const key = uuid.test(keyId) ? await store.changeApiKey(keyId, to) : null
  if (key === null) {
    throw new AdminError(
      `there is no key with the id '${keyId}': 'keys list ACCOUNT' shows the ids`,
    )
  }
  return { text: keyTable([key]), json: keyJson(key) }
}
