import type { Query } from '../query.ts'

/**
 * Locks the row. The resource took its Job and pods with it, so an attempt under way is fenced and
 * the next round begins; that costs none of the attempts allowed. Guarded by the UID: a resource
 * that was built meanwhile stays.
 */
export async function undispatch(
  query: Query,
  commandId: string,
  resourceUid: string,
): Promise<void> {
  await query(
    'undispatch',
    `with before as (
       select command_id, attempt from commands
       where command_id = $1 and resource_uid = $2 and finished_at is null for no key update
     ), undispatched as (
       update commands c set
         dispatched_at = null, resource_uid = null, dispatch_leased_until = null,
         dispatch_tries = 0, dispatch_definite = 0, dispatch_retry_at = null,
         dispatch_error_since = null, dispatch_error = null,
         mirrored_version = 0, unmirrored_since = null,
         round = case when round > 0 then round + 1 else 0 end,
         round_began_at = case when round > 0 then now() end,
         lost_attempts = case when c.attempt is null then lost_attempts
           else lost_attempts || c.attempt end,
         attempt = null, version = version + 1
       from before where c.command_id = before.command_id
     )
     update attempts a
     set lost_at = now(), reason = 'ResourceVanished', sweep_from = coalesce(sweep_from, now())
     from before where a.command_id = before.command_id and a.attempt = before.attempt`,
    [commandId, resourceUid],
  )
}
