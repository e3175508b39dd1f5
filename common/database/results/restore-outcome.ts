import { fileErrorStatus } from '../../domain/failures.ts'
import { storableText } from '../connection/values.ts'
import { fileParameter, fillStoredFile, insertOutputs, warningParameter } from './outcome-files.ts'
import type { Restored, ShownOutcome } from '../../store/attempts.ts'
import type { Query } from '../connection/query.ts'

/**
 * Locks the row. One statement, as the commit of an end is, so that readers see the whole end or
 * nothing. Times are those that users were shown: the record reads as before the loss. A command that
 * had a runner counts as admitted until its pods are gone, also if its admission was lost.
 *
 * The row's end fences every other attempt: none of their reports matches a final row.
 */
export async function restoreOutcome(query: Query, shown: ShownOutcome): Promise<Restored> {
  const { outcome } = shown
  const failed = outcome.status === 'FAILED' ? outcome : null
  const ended = await query('restore_outcome', restoreEnd, [
    shown.commandId,
    shown.attempt,
    outcome.status,
    failed?.errorStatus ?? null,
    failed === null ? null : storableText(failed.errorMessage),
    JSON.stringify(shown.steps),
    shown.ffmpegRunSeconds,
    shown.processingBytes,
    fileParameter(outcome),
    failed === null ? null : fileErrorStatus(failed.errorStatus),
    shown.startedAt,
    shown.finishedAt,
    shown.attempts,
    shown.jobGeneration,
    warningParameter(outcome),
  ])
  return ended.length > 0 ? 'restored' : whyNot(query, shown.commandId)
}

const restoreEnd = `
  with ended as (
    update commands c set
      status = $3, stage = null, error_status = $4, error_message = $5,
      finished_at = coalesce($12::timestamptz, now()),
      progress_percent = case
        when $3 = 'SUCCESS' then 100 when progress_percent < 100 then progress_percent end,
      steps = $6::jsonb, ffmpeg_run_seconds = $7::double precision,
      processing_bytes = case when command_type = 'STORED_FILE' then 0 else $8::bigint end,
      attempt = $2,
      attempts = case when $2::text is null then c.attempts else greatest(c.attempts, $13, 1) end,
      lost_attempts = array_remove(lost_attempts, $2::text),
      round = case when $2 is null then c.round else greatest(c.round, $14::integer, 1) end,
      admitted_at = case when $2 is null then admitted_at else coalesce(admitted_at, now()) end,
      round_began_at = case when $2 is null then round_began_at
        else coalesce(round_began_at, now()) end,
      started_at = case when $2 is null then started_at
        else coalesce($11::timestamptz, started_at, now()) end,
      released_at = case when $2 is null and admitted_at is null then now() end,
      warnings = $15::jsonb,
      version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
    where command_id = $1 and finished_at is null and not (
      $3 = 'SUCCESS' and exists (
        select from attempts t
        where t.command_id = $1 and t.attempt = $2 and coalesce(t.first_swept_at, t.swept_at) is not null
      )
    )
    returning command_id, command_type, account_id, environment_name, is_private,
      output_ttl_seconds, presigned_ttl_seconds, finished_at, round
  ), stored as (
    ${insertOutputs}
    on conflict do nothing
  ), filled as (
    ${fillStoredFile}
  ), won as (
    insert into attempts (command_id, attempt, round, sweep_from)
    select command_id, $2, round, case
      when $3 = 'FAILED' or exists (select from uploads u where u.attempt = $2)
        or (command_type = 'STORED_FILE' and not exists (select from filled)) then now()
    end
    from ended where $2 is not null
    on conflict (command_id, attempt) do update set
      lost_at = null, reason = null, sweep_from = excluded.sweep_from,
      sweep_tries = 0, sweep_retry_at = null
  ), fenced as (
    update attempts a set lost_at = coalesce(lost_at, now()),
      reason = coalesce(reason, 'DatabaseRestored'), sweep_from = coalesce(sweep_from, now())
    from ended where a.command_id = ended.command_id and a.attempt is distinct from $2
  )
  select command_id from ended`

async function whyNot(query: Query, commandId: string): Promise<Restored> {
  const [row] = await query<{ final: boolean }>(
    'restore_refused',
    'select finished_at is not null as final from commands where command_id = $1',
    [commandId],
  )
  if (row === undefined) return 'absent'
  return row.final ? 'final' : 'swept'
}
