import type { Query } from '../query.ts'

/** One row; nothing where another replica has sent the mail meanwhile. */
export async function markMailFailed(
  query: Query,
  registrationId: string,
  retrySeconds: number | null,
): Promise<void> {
  await query(
    'mark_mail_failed',
    `update registrations set
       failed_at = case when $2::float8 is null then now() end,
       send_from = now() + make_interval(secs => coalesce($2, 0))
     where registration_id = $1 and sent_at is null and failed_at is null`,
    [registrationId, retrySeconds],
  )
}
