import type { NewRegistration } from '../../store/registrations.ts'
import type { Query } from '../query.ts'

/**
 * Locks nothing. The same statement, and the same time, whatever is known of the address. Requests
 * at the same moment may exceed the day's figure by one another.
 */
export async function addRegistration(
  query: Query,
  { registrationId, email, name }: NewRegistration,
  mailsPerDay: number,
): Promise<void> {
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
}
