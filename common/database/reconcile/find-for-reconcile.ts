import type { ReconcileRow } from '../../store/reconcile.ts'
import { lifecycleColumns, queuePosition, submissionColumns } from '../commands/command-columns.ts'
import type { Query } from '../query.ts'

/** Locks nothing: what is decided from it is written under a guard. */
export async function findForReconcile(
  query: Query,
  commandId: string,
): Promise<ReconcileRow | null> {
  const [row] = await query<ReconcileRow>(
    'find_for_reconcile',
    `select ${submissionColumns}, ${lifecycleColumns}, ${queuePosition},
       a.name as "accountName", c.version, c.mirrored_version as "mirroredVersion",
       c.mirrored_at is not null as mirrored, c.resource_uid as "resourceUid",
       c.cancel_requested or f.deleted_at is not null as "cancelRequested", c.admitted_at is not null as admitted,
       extract(epoch from now() - c.round_began_at)::double precision as "secondsSinceRound",
       c.released_at is not null as released, c.round, c.attempt,
       c.lost_attempts as "lostAttempts",
       case when c.status = 'SUCCESS' then (
         select jsonb_build_object(
           'count', count(*),
           'bytes', coalesce(sum(coalesce(f.compressed_bytes, f.size_bytes)), 0),
           'first', coalesce(jsonb_agg(jsonb_build_object('alias', f.alias, 'key', f.key) order by f.position)
             filter (where f.position <= 10), '[]')
         ) from files f where f.command_id = c.command_id
       ) end as outputs,
       case when f.file_id is not null then json_build_object(
         'status', f.status, 'errorStatus', f.error_status, 'errorMessage', f.error_message,
         'key', f.key, 'sizeBytes', f.size_bytes, 'fileType', f.media ->> 'file_type',
         'deleted', f.deleted_at is not null
       ) end as file
     from commands c join accounts a using (account_id)
     left join files f on f.file_id = c.command_id and c.command_type = 'STORED_FILE'
     where c.command_id = $1`,
    [commandId],
  )
  return row ?? null
}
