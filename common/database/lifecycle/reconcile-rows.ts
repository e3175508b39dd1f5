import { evictedByQueue, lostOnSpot } from '../../domain/failures.ts'
import { lifecycleColumns, submissionColumns } from '../commands/command-columns.ts'
import { joinQueue, queuePosition } from '../commands/queue-position.ts'
import type { Collectable, ReconcileRow, ReconcileStore } from '../../store/reconcile.ts'
import type { LifecycleObserver } from '../../store/lifecycle/observer.ts'
import type { Database, Query } from '../connection/query.ts'

/** Commands of an account that weigh in the mean of their run times. */
export const commandsInMean = 20

/** Reads and marks of rows by the reconcile loop. */
export function reconcileRows(
  { query }: Database,
  observer: Pick<LifecycleObserver, 'mirrored'>,
): Pick<
  ReconcileStore,
  | 'findForReconcile'
  | 'requestCancel'
  | 'releaseQuota'
  | 'recordStartWait'
  | 'findUnmirrored'
  | 'markMirrored'
  | 'findCollectable'
  | 'collectableBacklog'
  | 'markResourceDeleted'
  | 'findUnsettled'
> {
  return {
    findForReconcile: (commandId) => findForReconcile(query, commandId),

    /** Locks the row. Idempotent. */
    async requestCancel(commandId, cancelledBy) {
      await query(
        'request_cancel',
        `update commands set cancel_requested = true, cancelled_by = $2, version = version + 1,
           unmirrored_since = coalesce(unmirrored_since, now())
         where command_id = $1 and not cancel_requested and finished_at is null`,
        [commandId, cancelledBy],
      )
    },

    /**
     * Locks the row and the account's share, not the account: a release only frees vCPUs, so a
     * concurrent admission that does not see it admits a command later, never too many. The mean is
     * weighted exponentially once it is of `commandsInMean` commands.
     */
    async releaseQuota(commandId) {
      const released = await query(
        'release_quota',
        `with released as (
           update commands set released_at = now()
           where command_id = $1 and released_at is null and finished_at is not null
           returning command_id, account_id, vcpu_count, admitted_at, processing_bytes
         ), used as (
           insert into account_shares as shares (
             account_id, used_vcpu_seconds, ended_commands, mean_seconds, mean_bytes,
             mean_output_bytes
           )
           select account_id, greatest(vcpu_count, 1) * seconds, (vcpu_count > 0)::integer,
             case when vcpu_count > 0 then seconds end,
             case when vcpu_count > 0 then coalesce(processing_bytes, 0) end,
             case when vcpu_count > 0 then (
               select coalesce(sum(coalesce(compressed_bytes, size_bytes)), 0) from files
               where files.command_id = released.command_id
             ) end
           from released cross join lateral (
             select extract(epoch from now() - admitted_at)::double precision as seconds
           ) held
           where admitted_at is not null
           on conflict (account_id) do update set updated_at = now(),
             used_vcpu_seconds = shares.used_vcpu_seconds + excluded.used_vcpu_seconds,
             ended_commands = shares.ended_commands + excluded.ended_commands,
             mean_seconds = ${movedMean('mean_seconds')},
             mean_bytes = ${movedMean('mean_bytes')},
             mean_output_bytes = ${movedMean('mean_output_bytes')}
         )
         select account_id from released`,
        [commandId],
      )
      return released.length > 0
    },

    /** Locks the row. Polls of the record are answered from memory until its version changes. */
    async recordStartWait(commandId, reason) {
      await query(
        'record_start_wait',
        `update commands set start_wait = $2, version = version + 1,
           unmirrored_since = coalesce(unmirrored_since, now())
         where command_id = $1 and finished_at is null and start_wait is distinct from $2`,
        [commandId, reason],
      )
    },

    /** Locks nothing; reads the partial index of rows that are newer than their custom resource. */
    findUnmirrored(limit) {
      return query(
        'find_unmirrored',
        `select command_id as "commandId", version, finished_at is not null as final,
           cancel_requested as "cancelRequested"
         from commands
         where unmirrored_since is not null and dispatched_at is not null
           and resource_deleted_at is null
         order by finished_at is null and not cancel_requested, unmirrored_since, command_id
         limit $1`,
        [limit],
      )
    },

    /** Locks the row. A version older than the marked one changes nothing. */
    async markMirrored(commandId, version) {
      const [row] = await query<{ mirroredAfter: number | null }>(
        'mark_mirrored',
        `update commands set
           mirrored_version = greatest(mirrored_version, least($2::bigint, version)),
           unmirrored_since = case when $2 >= version then null else unmirrored_since end,
           mirrored_at = case when $2 >= version and finished_at is not null
             then coalesce(mirrored_at, now()) end
         where command_id = $1 and mirrored_at is null
           and (mirrored_version < $2 or unmirrored_since is not null)
         returning extract(epoch from mirrored_at - finished_at)::double precision
           as "mirroredAfter"`,
        [commandId, version],
      )
      const seconds = row?.mirroredAfter ?? null
      if (seconds !== null) observer.mirrored(seconds)
    },

    /** Locks nothing; the custom resources alive are few (they have a cap), so ranking them is cheap. */
    async findCollectable(collect) {
      const rows = await query<{ commandId: string }>(
        'find_collectable',
        `select command_id as "commandId" from ${collectable}
           and command_id <> all($5::uuid[])
           and (command_id <> all($6::uuid[]) or ${isLeaving})
         order by mirrored_at, command_id limit $4`,
        [...collectableValues(collect), collect.limit, collect.except, collect.kept ?? []],
      )
      return rows.map((row) => row.commandId)
    },

    /** Locks nothing. */
    async collectableBacklog(collect) {
      const [row] = await query<{ rows: number; oldestSeconds: number }>(
        'collectable_backlog',
        `select count(*)::integer as rows, greatest(0, coalesce(
             extract(epoch from now() - min(mirrored_at)) - $1, 0
           ))::double precision as "oldestSeconds"
         from ${collectable}`,
        collectableValues(collect),
      )
      if (row === undefined) throw new Error('an aggregate returned no row')
      return row
    },

    /** Locks the row. */
    async markResourceDeleted(commandId) {
      await query(
        'mark_resource_deleted',
        `update commands set resource_deleted_at = now(), unmirrored_since = null
         where command_id = $1 and finished_at is not null and resource_deleted_at is null`,
        [commandId],
      )
    },

    /**
     * Locks nothing; pages by id. The second half finds commands that ended while no operator watched:
     * without a resource there is no event for them, and their vCPUs would never be released.
     */
    async findUnsettled(page) {
      const rows = await query<{ commandId: string }>(
        'find_unsettled',
        `select command_id as "commandId" from commands
         where ((dispatched_at is not null and resource_deleted_at is null and finished_at is null)
             or (admitted_at is not null and released_at is null and finished_at is not null))
           and ($1::uuid is null or command_id > $1)
         order by command_id limit $2`,
        [page.afterCommandId, page.limit],
      )
      return rows.map(({ commandId }) => commandId)
    },
  }
}

/** The account is being deleted, with everything. */
const isLeaving = 'account_id in (select account_id from accounts where deleting_at is not null)'

/** Rows of which a resource can be deleted; a condition can follow. $1 to $3 are `collectableValues`. */
const collectable = `(
    select command_id, mirrored_at, account_id,
      row_number() over (order by mirrored_at desc, command_id desc) as newness
    from commands
    where dispatched_at is not null and resource_deleted_at is null
      and mirrored_at is not null and released_at is not null
  ) finished
  where mirrored_at <= now() - make_interval(secs => $1)
    and (
      newness > $2::bigint or mirrored_at <= now() - make_interval(secs => $3)
      or ${isLeaving}
    )`

function collectableValues(collect: Collectable): readonly number[] {
  return [collect.olderThanSeconds, collect.keepNewest, collect.keepSeconds]
}

/** Locks nothing: changes based on this snapshot are guarded. */
export async function findForReconcile(
  query: Query,
  commandId: string,
): Promise<ReconcileRow | null> {
  const [row] = await query<ReconcileRow>(
    'find_for_reconcile',
    `select ${submissionColumns}, ${lifecycleColumns}, ${queuePosition},
       a.name as "accountName", a.plan as "accountPlan", a.limits as "accountLimits",
       c.reserved_output_bytes as "reservedOutputBytes", c.version, c.mirrored_version as "mirroredVersion",
       c.mirrored_at is not null as mirrored, c.resource_uid as "resourceUid",
       c.cancel_requested or f.deleted_at is not null as "cancelRequested", c.admitted_at is not null as admitted,
       extract(epoch from now() - c.round_began_at)::double precision as "secondsSinceGeneration",
       c.released_at is not null as released, c.round as "jobGeneration", c.attempt,
       t.standby_job as "warmRunnerJob", t.waited_seconds as "waitedSeconds",
       c.lost_attempts as "lostAttempts",
       cardinality(array_positions(c.loss_reasons, '${evictedByQueue}')) as evictions,
       cardinality(array_positions(c.loss_reasons, '${lostOnSpot}')) as "spotLosses",
       c.start_wait as "startWait", c.returned_round as "returnedGeneration",
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
     left join attempts t on t.command_id = c.command_id and t.attempt = c.attempt
     ${joinQueue}
     where c.command_id = $1`,
    [commandId],
  )
  return row ?? null
}

/** The mean of an account with one more command, of which `excluded` is the value. */
function movedMean(column: string): string {
  return `coalesce(
    shares.${column} + (excluded.${column} - shares.${column})
      / least(shares.ended_commands + 1, ${commandsInMean}),
    shares.${column}, excluded.${column}
  )`
}
