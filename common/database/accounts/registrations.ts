import { addApiKey } from './api-keys.ts'
import type { Activation, ActivationMail, RegistrationStore } from '../../store/accounts.ts'
import type { Database, Query } from '../connection/query.ts'

interface Activated {
  readonly accountId: string
  readonly plan: string
}

/** Registrations by mail, from the request to the active account. */
export function registrations(database: Database): RegistrationStore {
  const { query } = database
  return {
    /**
     * Locks nothing. One statement that takes the same time for known and unknown addresses. Concurrent
     * requests may exceed the daily limit by one each.
     */
    async addRegistration({ registrationId, email, name }, mailsPerDay) {
      await query(
        'add_registration',
        `insert into registrations (registration_id, email, name)
         select $1, $2, $3
         where (
           select count(*) from registrations
           where email = $2 and created_at > now() - interval '1 day'
         ) < $4
         on conflict do nothing`,
        [registrationId, email, name, mailsPerDay],
      )
    },

    /** Locks the rows it takes and skips those that another replica takes now. */
    claimActivationMails({ limit, leaseSeconds }) {
      return query<ActivationMail>(
        'claim_activation_mails',
        `update registrations r
         set send_from = now() + make_interval(secs => $2), attempts = attempts + 1
         where registration_id in (
           select registration_id from registrations
           where sent_at is null and failed_at is null and send_from <= now()
           order by send_from limit $1 for update skip locked
         )
         returning registration_id as "registrationId", email, name, attempts,
           exists (select from accounts a where a.email = r.email) as "hasAccount"`,
        [limit, leaseSeconds],
      )
    },

    /** Locks nothing. Runs before the mail is sent: the link of a token that is not stored would fail. */
    async addActivationToken(registrationId, sha256) {
      await query(
        'add_activation_token',
        `insert into activation_tokens (sha256, registration_id) values ($1, $2) on conflict do nothing`,
        [Buffer.from(sha256), registrationId],
      )
    },

    /** Locks one row. */
    async markMailSent(registrationId) {
      await query(
        'mark_mail_sent',
        'update registrations set sent_at = coalesce(sent_at, now()) where registration_id = $1',
        [registrationId],
      )
    },

    /** Locks one row; changes nothing if another replica has sent the mail meanwhile. */
    async markMailFailed(registrationId, retrySeconds) {
      await query(
        'mark_mail_failed',
        `update registrations set
           failed_at = case when $2::float8 is null then now() end,
           send_from = now() + make_interval(secs => coalesce($2, 0))
         where registration_id = $1 and sent_at is null and failed_at is null`,
        [registrationId, retrySeconds],
      )
    },

    /**
     * One transaction. The registration's row lock serializes calls with the same token. The unique
     * address serializes two registrations of one address: the second finds the account of the first.
     */
    activate(activation) {
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
          prefix: activation.keyPrefix,
        })
        return account
      })
    },

    /** Deletes addresses that are no longer needed; tokens are deleted with their registrations. */
    async forgetOldRegistrations(olderThanSeconds) {
      await query(
        'forget_old_registrations',
        'delete from registrations where created_at < now() - make_interval(secs => $1)',
        [olderThanSeconds],
      )
    },

    /** Locks the rows it deletes and skips those that a request changes now. */
    async forgetClientRates(limit) {
      const gone = await query(
        'forget_client_rates',
        `delete from client_rates where (client, call) in (
           select client, call from client_rates
           where full_at < now() order by full_at limit $1 for update skip locked
         ) returning call`,
        [limit],
      )
      return gone.length
    },

    /**
     * One statement under the bucket's row lock, so replicas share the limit. A refused request does not
     * change the bucket, so retries do not extend the wait.
     */
    async takeClientToken({ client, call, size, fillSeconds }) {
      const values = [client, call, fillSeconds / size, fillSeconds]
      const taken = await query(
        'take_client_token',
        `insert into client_rates as r (client, call, full_at)
         values ($1, $2, now() + make_interval(secs => $3))
         on conflict (client, call) do update
           set full_at = greatest(r.full_at, now()) + make_interval(secs => $3)
           where r.full_at + make_interval(secs => $3) <= now() + make_interval(secs => $4)
         returning client`,
        values,
      )
      if (taken.length > 0) return null
      const [row] = await query<{ seconds: number }>(
        'seconds_until_client_token',
        `select extract(epoch from full_at - now())::float8 + $3 - $4 as seconds
         from client_rates where client = $1 and call = $2`,
        values,
      )
      return Math.max(0, row?.seconds ?? 0)
    },
  }
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
