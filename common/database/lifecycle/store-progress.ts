import type { ErrorStatus } from '../../domain/failures.ts'
import { commandStatuses, isFinal, isForward, processingStages } from '../../domain/states.ts'
import type { CommandStatus, Position } from '../../domain/states.ts'
import type { Progress } from '../../store/attempts.ts'
import type { Store } from '../../store/store.ts'
import { withMarks } from '../commands/timelines.ts'
import { cutLogs, logParameter, logRowsWithRoom } from './store-logs.ts'
import type { Query } from '../connection/query.ts'

/**
 * Locks the row. A stale report is not an error and must not reduce progress, so it matches the row
 * and changes only values that it advances. No index has a column that changes here, so the update
 * is HOT. Logs are in the same statement: a reader of the row's new version finds them, and no logs
 * are stored for a superseded attempt.
 *
 * @param relaxed the statement's commit waits neither for the flush nor for a synchronous standby:
 * the next report repeats what a crash loses
 */
export async function storeProgress(
  query: Query,
  progress: Progress,
  relaxed: boolean,
): ReturnType<Store['storeProgress']> {
  const position = positionOf(progress)
  const [stored] = await query<{ cancel: boolean }>('store_progress', updateProgress, [
    progress.commandId,
    progress.attempt,
    position.status,
    position.stage,
    progress.progressPercent,
    JSON.stringify(progress.steps),
    positionsBefore(position),
    logParameter(progress.logs),
    relaxed,
  ])
  if (stored === undefined) return whyNot(query, progress)
  await cutLogs(query, progress, relaxed)
  return { kind: 'stored', cancel: stored.cancel }
}

/** PREPARED_FFMPEG_COMMAND has one stage, so the reported stage is ignored. */
export function positionOf({ status, stage }: Pick<Progress, 'status' | 'stage'>): Position {
  return { status, stage: status === 'PREPARED_FFMPEG_COMMAND' ? 'PREPARING_INPUT_FILES' : stage }
}

const ahead = `status || '/' || coalesce(stage, '') = any ($7::text[])`

// The record of a stored file changes with its work, and its deletion requests the cancellation.
const updateProgress = `
  with stored as (
  update commands set
    status = case when ${ahead} then $3 else status end,
    stage = case when ${ahead} then $4 else stage end,
    progress_percent = case when ${ahead}
      then greatest(progress_percent, $5::double precision) else progress_percent end,
    steps = case when ${ahead} and coalesce($5, 0) >= coalesce(progress_percent, 0)
      then $6::jsonb else steps end,
    timeline = case when ${ahead} then ${withMarks('$4', '$6')} else timeline end,
    version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
  where command_id = $1 and attempt = $2 and finished_at is null
    and jsonb_array_length(steps) = jsonb_array_length($6::jsonb)
  returning command_id, command_type, stage, cancel_requested
  ), fetched as (
    update files set status = 'DOWNLOADED'
    from stored
    where file_id = stored.command_id and stored.command_type = 'STORED_FILE'
      and stored.stage <> 'DOWNLOADING' and status = 'DOWNLOADING' and deleted_at is null
  ), logged as (
    insert into command_logs (command_id, attempt, step, sequence, text)
    select command_id, $2, step, sequence, text from stored, ${logRowsWithRoom('$8')}
    on conflict do nothing
  )
  select cancel_requested or (
    command_type = 'STORED_FILE' and exists (
      select from files f where f.file_id = stored.command_id and f.deleted_at is not null
    )
  ) as cancel,
  -- Applies to this transaction alone, which is this statement.
  case when $9::boolean then set_config('synchronous_commit', 'off', true) end
  from stored`

/** The order of states is defined in states.ts alone; the statement gets it as a list. */
function positionsBefore(next: Position): string[] {
  return commandStatuses
    .flatMap((status) => [null, ...processingStages].map((stage) => ({ status, stage })))
    .filter((now) => isForward(now, next))
    .map(({ status, stage }) => `${status}/${stage ?? ''}`)
}

async function whyNot(
  query: Query,
  { commandId, attempt, steps }: Progress,
): ReturnType<Store['storeProgress']> {
  const [row] = await query<{
    status: CommandStatus
    errorStatus: ErrorStatus | null
    isCurrent: boolean
    steps: number
  }>(
    'progress_refused',
    `select status, error_status as "errorStatus", attempt is not distinct from $2 as "isCurrent",
       jsonb_array_length(steps) as steps
     from commands where command_id = $1`,
    [commandId, attempt],
  )
  if (row === undefined) return { kind: 'superseded' }
  const { status, errorStatus } = row
  if (isFinal(status)) return { kind: 'final', status, errorStatus }
  return row.isCurrent && row.steps !== steps.length
    ? { kind: 'other-steps', steps: row.steps }
    : { kind: 'superseded' }
}
