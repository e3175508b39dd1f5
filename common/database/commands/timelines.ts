import type { RecordedTimeline, TimelineStore } from '../../store/command-states.ts'
import type { Database } from '../connection/query.ts'

/**
 * Appends to the timeline what a report begins: its stage, and steps that were QUEUED. `stage` and `steps`
 * are the parameters of the report.
 */
export function withMarks(stage: string, steps: string): string {
  return `coalesce(timeline, '[]') || coalesce((
    select jsonb_agg(mark) from (
      select jsonb_build_object('attempt', attempts, 'stage', ${stage}::text, 'at', now()) as mark
      where stage is distinct from ${stage}
      union all
      select jsonb_build_object('attempt', attempts, 'step', place - 1, 'at', now())
      from jsonb_array_elements(${steps}::jsonb) with ordinality as reported (step, place)
      where step ->> 'status' not in ('QUEUED', 'SKIPPED')
        and steps -> (place - 1)::integer ->> 'status' = 'QUEUED'
    ) marks
  ), '[]')`
}

/** Stages of the attempt that has the command, or had it last. */
export const marksOfLast = `coalesce(jsonb_path_query_array(
    timeline, '$[*] ? (@.attempt == $attempt && exists(@.stage))',
    jsonb_build_object('attempt', attempts)
  ), '[]')`

/** Begins the timeline with the reason for which the account waited; an admission within a second was no wait. */
export const withWaitReason = `
  case when now() - coalesce(dispatched_at, created_at) < interval '1 second'
    or command_type = 'STORED_FILE' then timeline
  else (
    select jsonb_build_array(jsonb_build_object('waited', reason)) from account_shares
    where account_shares.account_id = commands.account_id and reason <> 'ACCOUNT_FILES'
  ) end`

/** Appends what the pod of the attempt that begins waited for; `start` is the parameter with its JSON or null. */
export function withPodStart(start: string): string {
  return `case when ${start}::jsonb is null then timeline else coalesce(timeline, '[]')
    || jsonb_build_array(${start}::jsonb || jsonb_build_object('attempt', attempts + 1)) end`
}

/** Locks nothing. */
export function timelines({ query }: Database): TimelineStore {
  return {
    async findTimeline(accountId, commandId) {
      const [row] = await query<RecordedTimeline>('find_timeline', timelineSql, [
        accountId,
        commandId,
      ])
      return row ?? null
    },
  }
}

const timelineSql = `
  select c.command_id as "commandId", c.status, c.created_at as "createdAt",
    c.dispatched_at as "dispatchedAt", c.admitted_at as "admittedAt",
    c.finished_at as "finishedAt",
    case when c.admitted_at is null then nullif(share.reason, 'ACCOUNT_FILES')
      else jsonb_path_query_first(c.timeline, '$[*].waited') #>> '{}' end as "waitReason",
    c.processing_bytes as "processingBytes", outputs.bytes as "outputBytes",
    outputs.files as "outputFiles", c.steps,
    coalesce(jsonb_path_query_array(c.timeline, '$[*] ? (exists(@.at))'), '[]') as marks,
    coalesce(jsonb_path_query_array(c.timeline, '$[*] ? (exists(@.nodeSeconds))'), '[]') as "podStarts",
    coalesce(tries.list, '[]') as attempts
  from commands c
  left join account_shares share on share.account_id = c.account_id
  cross join lateral (
    select case when bool_or(compressed_bytes is not null) then null
      else coalesce(sum(size_bytes), 0)::bigint end as bytes,
      coalesce(sum(coalesce(file_count, 1)), 0)::integer as files
    from files where files.command_id = c.command_id
  ) outputs
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object('claimedAt', claimed_at, 'lostAt', lost_at) order by claimed_at
    ) as list
    from attempts where attempts.command_id = c.command_id
  ) tries
  where c.command_id = $2 and c.account_id = $1 and c.command_type <> 'STORED_FILE'`
