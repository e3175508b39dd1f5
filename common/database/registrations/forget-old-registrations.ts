import type { Query } from '../query.ts'

/** Addresses are kept no longer than they serve; tokens go with their registrations. */
export async function forgetOldRegistrations(
  query: Query,
  olderThanSeconds: number,
): Promise<void> {
  await query(
    'forget_old_registrations',
    'delete from registrations where created_at < now() - make_interval(secs => $1)',
    [olderThanSeconds],
  )
  await query(
    'forget_client_rates',
    'delete from client_rates where full_at < now() - make_interval(secs => $1)',
    [olderThanSeconds],
  )
}
