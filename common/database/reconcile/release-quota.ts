import type { Query } from '../query.ts'

/**
 * Locks the row, not the account: a release only makes room, and an admission that missed it admits
 * one command later, never one too many.
 */
export async function releaseQuota(query: Query, commandId: string): Promise<boolean> {
  const released = await query(
    'release_quota',
    `update commands set released_at = now()
     where command_id = $1 and released_at is null and finished_at is not null
     returning command_id`,
    [commandId],
  )
  return released.length > 0
}
