import { openEndpoint } from '../../http/endpoint.ts'
import { refusal } from '../../http/errors.ts'
import { accountNamesFor } from '../account-name.ts'
import { keyHash, keyPrefix, newApiKey, secretHash } from '../secrets.ts'
import { admitClient, tokenSeconds } from './registration.ts'
import type { OpenEndpoint } from '../../http/endpoint.ts'
import type { RegistrationDeps } from './registration.ts'

/**
 * If the answer is lost, so is the key, since only its hash is stored: another registration creates
 * another key.
 */
export function activateAccount(deps: RegistrationDeps): OpenEndpoint {
  const { store, effects, registration } = deps
  const admit = admitClient(deps, 'activate')
  return openEndpoint('activateAccount', admit, async ({ body }, { newId, fields }) => {
    const apiKey = newApiKey(registration.randomBytes)
    const activation = {
      tokenSha256: secretHash(body.token.trim()),
      tokenSeconds,
      accountId: newId(),
      plan: registration.plan,
      keyId: newId(),
      keySha256: keyHash(apiKey),
      keyPrefix: keyPrefix(apiKey),
      namesFor: (one: { email: string; name: string | null }) =>
        accountNamesFor(one, () => effects.random()),
    }
    const account = await effects.failpoint('accounts.activated', () => store.activate(activation))
    if (account === null) throw refusal(400, unusable)
    fields['account_id'] = account.accountId
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: { account_id: account.accountId, plan: account.plan, api_key: apiKey },
    }
  })
}

const unusable = 'The token is unknown, used or older than 24 hours: register again for a new one'
