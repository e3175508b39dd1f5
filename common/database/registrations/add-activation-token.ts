import type { Query } from '../query.ts'

/** Locks nothing. Before the mail goes out: a token that nobody knows would be a dead link. */
export async function addActivationToken(
  query: Query,
  registrationId: string,
  sha256: Uint8Array,
): Promise<void> {
  await query(
    'add_activation_token',
    `insert into activation_tokens (sha256, registration_id) values ($1, $2) on conflict do nothing`,
    [Buffer.from(sha256), registrationId],
  )
}
