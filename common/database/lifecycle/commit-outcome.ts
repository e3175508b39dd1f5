import { fileErrorStatus } from '../../domain/failures.ts'
import { isFinal } from '../../domain/states.ts'
import { marksOfLast } from '../commands/timelines.ts'
import { storableText } from '../connection/values.ts'
import {
  fileParameter,
  fillStoredFile,
  insertOutputs,
  warningParameter,
} from '../results/outcome-files.ts'
import { cutLogs, logParameter, logRows } from './store-logs.ts'
import type { ErrorStatus } from '../../domain/failures.ts'
import type { CommandStatus } from '../../domain/states.ts'
import { processingBytes } from '../../domain/quota.ts'
import type { Committed, OutcomeCommit } from '../../store/attempts.ts'
import type { WorkType } from '../../domain/states.ts'
import type { EndedAttempt, LifecycleObserver } from '../../store/lifecycle/observer.ts'
import type { Query } from '../connection/query.ts'

/**
 * Commits the final outcome, reported by the runner or inferred from the pod's state. Locks the row;
 * the guard is checked once the lock is held, so exactly one writer updates the row. Outcome, files
 * and the attempt's sweep are one statement, so readers see all of them or none.
 *
 * The work on a stored file ends in the record of that file. A file deleted meanwhile stays
 * unchanged, and the objects that the attempt wrote for it are swept. An upload was complete before
 * the probe, so it ends STORED with any outcome of the probe.
 *
 * Logs are not part of the outcome, but a separate statement would cost one more round trip.
 *
 * @param observer is called before this function returns, so inside of the transaction of `query`
 */
export async function commitOutcome(
  query: Query,
  commit: OutcomeCommit,
  observer: Pick<LifecycleObserver, 'ended'>,
): Promise<Committed> {
  const { outcome, usage, attempt } = commit
  const failed = outcome.status === 'FAILED' ? outcome : null
  const ended = await query<EndedRow>('commit_outcome', endCommand, [
    commit.commandId,
    attempt,
    outcome.status,
    failed?.errorStatus ?? null,
    failed === null ? null : storableText(failed.errorMessage),
    commit.steps === null ? null : JSON.stringify(commit.steps),
    usage?.ffmpegRunSeconds ?? null,
    processingBytes(outcome, usage),
    fileParameter(outcome),
    failed === null ? null : fileErrorStatus(failed.errorStatus),
    logParameter(attempt === null ? [] : commit.logs),
    commit.jobGeneration ?? null,
    warningParameter(outcome),
    commit.cancelledBy ?? null,
  ])
  const [row] = ended
  if (row === undefined) return whoEndedIt(query, commit.commandId)
  if (attempt !== null) await cutLogs(query, { ...commit, attempt })
  const { commandType, claimedAt, marks, ...times } = row
  const { finishedAt: endedAt } = times
  observer.ended(
    commandType === 'STORED_FILE'
      ? null
      : {
          ...times,
          status: outcome.status,
          attempt: claimedAt === null ? null : { claimedAt, endedAt, marks },
        },
    commit,
  )
  return { kind: 'committed' }
}

interface EndedRow extends Pick<EndedAttempt, 'marks'> {
  readonly commandType: WorkType
  readonly createdAt: Date
  readonly dispatchedAt: Date | null
  readonly admittedAt: Date | null
  readonly finishedAt: Date
  readonly claimedAt: Date | null
}

// Steps without a report: those that ran have failed, and those that had not begun never will.
const endCommand = `
  with ended as (
    update commands set
      status = $3, stage = null, error_status = $4, error_message = $5, finished_at = now(),
      progress_percent = case when $3 = 'SUCCESS' then 100 else progress_percent end,
      steps = coalesce($6::jsonb, (
        select jsonb_agg(
          case step ->> 'status'
            when 'PROCESSING' then step || '{"status": "FAILED"}'
            when 'QUEUED' then step || '{"status": "SKIPPED"}'
            else step
          end order by place)
        from jsonb_array_elements(steps) with ordinality as s (step, place)
      ), '[]'),
      ffmpeg_run_seconds = coalesce($7::double precision, (
        select sum((step ->> 'ffmpeg_command_run_seconds')::double precision)
        from jsonb_array_elements(coalesce($6::jsonb, steps)) step
      )),
      processing_bytes = case when command_type = 'STORED_FILE' then 0 else $8::bigint end,
      released_at = case when admitted_at is null then now() end, warnings = $13::jsonb,
      cancelled_by = coalesce(cancelled_by, $14),
      version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
    where command_id = $1 and attempt is not distinct from $2 and finished_at is null
      and ($12::integer is null or round = $12)
    returning command_id, command_type, account_id, environment_name, is_private,
      output_ttl_seconds, presigned_ttl_seconds, created_at, dispatched_at, admitted_at, finished_at, ${marksOfLast} as marks
  ), stored as (
    ${insertOutputs}
  ), filled as (
    ${fillStoredFile}
  ), swept as (
    update attempts a set sweep_from = now()
    from ended
    where a.command_id = ended.command_id and a.attempt = $2 and a.sweep_from is null
      and (
        $3 = 'FAILED' or exists (select from uploads u where u.attempt = $2)
        or (ended.command_type = 'STORED_FILE' and not exists (select from filled))
      )
  ), logged as (
    insert into command_logs (command_id, attempt, step, sequence, text)
    select command_id, $2, step, sequence, text from ended, ${logRows('$11')}
    on conflict do nothing
  )
  select ended.command_type as "commandType", ended.created_at as "createdAt",
    ended.dispatched_at as "dispatchedAt", ended.admitted_at as "admittedAt",
    ended.finished_at as "finishedAt", a.claimed_at as "claimedAt", ended.marks
  from ended left join attempts a on a.command_id = ended.command_id and a.attempt = $2`

async function whoEndedIt(query: Query, commandId: string): Promise<Committed> {
  const [row] = await query<{
    status: CommandStatus
    errorStatus: ErrorStatus | null
    attempt: string | null
  }>(
    'commit_refused',
    `select status, error_status as "errorStatus", attempt from commands where command_id = $1`,
    [commandId],
  )
  return row !== undefined && isFinal(row.status)
    ? { kind: 'final', ...row }
    : { kind: 'superseded' }
}
