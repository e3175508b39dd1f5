import { isFinal } from '../../domain/states.ts'
import type { AttemptStore, Claim } from '../../store/attempts.ts'
import type { ReconcileRow } from '../../store/reconcile.ts'
import { withPodStart } from '../commands/timelines.ts'
import { findForReconcile } from './reconcile-rows.ts'
import type { Query } from '../connection/query.ts'

/**
 * Locks the row while its attempt changes. All conditions are on the row itself, so a claim that
 * waited for the lock is checked against the present row: a pod that was fenced meanwhile gets
 * nothing. The second statement reads the result without a lock: a fenced pod never becomes valid
 * again.
 */
export async function claimAttempt(
  query: Query,
  claim: Parameters<AttemptStore['claimAttempt']>[0],
): Promise<Claim> {
  await query(
    'claim_attempt',
    `with claimed as (
       update commands set ${attemptBegins('$3')}, timeline = ${withPodStart('$4')}
       where command_id = $1 and round = $2 and round > 0 and attempt is null and finished_at is null
         and not ($3 = any (lost_attempts))
       returning command_id, round, command_type
     ), ${fileFetches}
     insert into attempts (command_id, attempt, round) select command_id, $3, round from claimed`,
    [
      claim.commandId,
      claim.jobGeneration,
      claim.podUid,
      claim.start ? JSON.stringify(claim.start) : null,
    ],
  )
  return claimOf(await findForReconcile(query, claim.commandId), claim)
}

/** Sets the columns of a command that an attempt gets. `attempt` is the parameter with the pod's UID. */
export function attemptBegins(attempt: string): string {
  return `attempt = ${attempt}, attempts = attempts + 1,
    status = 'PROCESSING', stage = 'DOWNLOADING', progress_percent = null,
    steps = coalesce((
      select jsonb_agg(jsonb_build_object(
        'index', i, 'status', 'QUEUED', 'progress_percent', null,
        'ffmpeg_command_run_seconds', null, 'exit_code', null
      ) order by i)
      from generate_series(0, jsonb_array_length(steps) - 1) i
    ), '[]'),
    started_at = coalesce(started_at, now()),
    version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())`
}

/** The file that the command works on follows its row, which `claimed` has. */
export const fileFetches = `fetching as (
    update files set status = 'DOWNLOADING'
    from claimed
    where file_id = claimed.command_id and claimed.command_type = 'STORED_FILE'
      and status in ('QUEUED', 'DOWNLOADED') and deleted_at is null
  )`

/** The answer to a pod's claim, from the row after the claim. */
export function claimOf(
  row: ReconcileRow | null,
  claim: { jobGeneration: number; podUid: string },
): Claim {
  if (row === null) return { kind: 'unknown' }
  if (isFinal(row.status)) {
    return { kind: 'final', status: row.status, errorStatus: row.errorStatus }
  }
  if (row.attempt === claim.podUid) return { kind: 'assigned', row }
  const isPresent = row.admitted && row.jobGeneration === claim.jobGeneration
  if (!isPresent || row.lostAttempts.includes(claim.podUid)) return { kind: 'lost' }
  return { kind: 'held' }
}
