import type { Query } from '../query.ts'

/** One row. */
export async function markMailSent(query: Query, registrationId: string): Promise<void> {
  await query(
    'mark_mail_sent',
    'update registrations set sent_at = coalesce(sent_at, now()) where registration_id = $1',
    [registrationId],
  )
}
