import { addApiKey } from '../accounts/add-api-key.ts'
import type { Activation } from '../../store/registrations.ts'
import type { Database, Query } from '../query.ts'

interface Activated {
  readonly accountId: string
  readonly plan: string
}

/**
 * One transaction. The registration's row lock decides between two with the same token, the unique
 * address between two registrations of one address: the second finds the account of the first.
 */
export function activate(database: Database, activation: Activation): Promise<Activated | null> {
  return database.transaction(async (query) => {
    const [registration] = await query<{ email: string; name: string | null }>(
      'use_activation_token',
      `update registrations set activated_at = coalesce(activated_at, now()), key_id = $2
       where registration_id = (
         select registration_id from activation_tokens
         where sha256 = $1 and created_at > now() - make_interval(secs => $3)
       ) and (key_id is null or key_id = $2)
       returning email, name`,
      [Buffer.from(activation.tokenSha256), activation.keyId, activation.tokenSeconds],
    )
    if (registration === undefined) return null
    const account = await accountFor(query, activation, registration)
    await addApiKey(query, account.accountId, {
      keyId: activation.keyId,
      sha256: activation.keySha256,
      environmentName: null,
      label: null,
    })
    return account
  })
}

async function accountFor(
  query: Query,
  { accountId, plan, namesFor }: Activation,
  registration: { email: string; name: string | null },
): Promise<Activated> {
  for (const name of namesFor(registration)) {
    await query(
      'register_account',
      `insert into accounts (account_id, name, plan, email) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [accountId, name, plan, registration.email],
    )
    const [found] = await query<Activated>(
      'find_registered_account',
      'select account_id as "accountId", plan from accounts where email = $1',
      [registration.email],
    )
    if (found !== undefined) return found
  }
  throw new Error('no name for the account is free')
}
