import type { ActivationMail } from '../../store/registrations.ts'
import type { Query } from '../query.ts'

/** Locks the rows it takes and passes over those that another replica takes now. */
export function claimActivationMails(
  query: Query,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ActivationMail[]> {
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
}
