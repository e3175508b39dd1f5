import type { Database } from '../../../common/database/connection/query.ts'

/** Rows of one statement. */
const chunk = 10_000

export async function addAccount(
  { query }: Pick<Database, 'query'>,
  accountId: string,
): Promise<void> {
  await query(
    'bench_account',
    `insert into accounts (account_id, name, plan) values ($1::uuid, 'a' || $1::text, 'x')`,
    [accountId],
  )
}

/** The commands of one day that began `daysAgo`, without anything else. */
export async function addCommands(
  { query }: Database,
  day: { readonly accountId: string; readonly rows: number; readonly daysAgo: number },
): Promise<void> {
  await query(
    'bench_commands',
    `insert into commands (${columns}, created_at, finished_at)
     select gen_random_uuid(), $1::uuid, ${values}, at, at from (
       select now() - make_interval(days => $3) + make_interval(secs => i) as at
       from generate_series(1, $2::integer) i
     ) times`,
    [day.accountId, day.rows, day.daysAgo],
  )
}

/** Adds `rows` commands of one account that have ended, evenly over the last `days` days. */
export async function addHistory(
  { query }: Database,
  history: { readonly accountId: string; readonly rows: number; readonly days: number },
): Promise<void> {
  const { accountId, rows, days } = history
  await addAccount({ query }, accountId)
  await query('bench_triggers', 'alter table commands disable trigger user')
  for (let from = 0; from < rows; from += chunk) {
    const age = `interval '1 day' * (${days} * (1 - (i + 1) / ${rows}::double precision))`
    await query(
      'bench_history',
      `insert into commands (${columns}, created_at, finished_at)
       select gen_random_uuid(), '${accountId}', ${values}, now() - ${age}, now() - ${age}
       from generate_series(${from}, ${Math.min(rows, from + chunk) - 1}) i`,
    )
  }
  await query('bench_triggers_on', 'alter table commands enable trigger user')
  await query('bench_vacuum', 'vacuum analyze commands')
}

/**
 * The commands of one day that began `daysAgo`, with attempts, outputs, log objects and deliveries.
 * What an installation with so many commands a day writes, without the changes in between.
 */
export async function addDay(
  { query }: Database,
  day: { readonly accountId: string; readonly rows: number; readonly daysAgo: number },
): Promise<void> {
  await query(
    'bench_day',
    `with ids as (
       select gen_random_uuid() as id, now() - make_interval(days => $3) + make_interval(secs => i) as at
       from generate_series(1, $2::integer) i
     ), made as (
       insert into commands (${columns}, created_at, finished_at)
       select id, $1::uuid, ${values}, at, at from ids
     ), tried as (
       insert into attempts (command_id, attempt, round, claimed_at) select id, 'pod-' || id, 1, at from ids
     ), logged as (
       insert into command_log_objects (command_id, key, step_bytes)
       select id, 'private/' || $1::text || '/logs/' || id || '.txt', '{1000}' from ids
     ), delivered as (
       insert into webhook_deliveries (
         account_id, event, command_id, url, status, next_attempt_at, created_at, attempts
       ) select $1::uuid, 'command.finished', id, 'https://hooks.example/a', 'DELIVERED', null, at,
         '[{"at": "2026-01-01T00:00:00Z", "response_status": 204, "error": null}]' from ids
     )
     insert into files (
       file_id, command_id, account_id, position, alias, key, size_bytes, media, is_private, created_at
     ) select gen_random_uuid(), id, $1::uuid, 1, 'out_1', 'public/' || id, 1000000,
       '{"file_type":"video","file_format":"mp4"}', false, at from ids`,
    [day.accountId, day.rows, day.daysAgo],
  )
}

/** Bytes of the tables that grow with commands, with their indexes. */
export async function tableSizes({ query }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ name: string; bytes: number }>(
    'bench_sizes',
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relname = any($1) order by relname`,
    [['commands', 'files', 'attempts', 'command_log_objects', 'webhook_deliveries']],
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

const request = `'{"ffmpeg_command":"-i {{in_1}} -vf \\"scale=-2:320\\" -c:a aac {{out_1}}","input_files":{"in_1":"https://media.example/sample.avi"},"output_files":{"out_1":"small.mp4"},"max_command_run_seconds":300,"vcpu_count":4,"metadata":{"order":17},"is_private":false,"output_ttl_seconds":null,"webhook_url":null}'`
const columns = `command_id, account_id, command_type, source, original_request, vcpu_count,
  max_run_seconds, is_private, steps, status, error_status, error_message, released_at`
const values = `'FFMPEG_COMMAND',
  '{"commands":["-i {{in_1}} -vf \\"scale=-2:320\\" -c:a aac {{out_1}}"],"inputFiles":{"in_1":"https://media.example/sample.avi"},"inputCompressedFolder":null,"outputFiles":{"out_1":"small.mp4"}}',
  ${request}, 4, 300, false,
  '[{"index":0,"status":"FAILED","progress_percent":null,"ffmpeg_command_run_seconds":1,"exit_code":1}]',
  'FAILED', 'FFMPEG_FAILED', 'FFmpeg ended with exit code 187', now()`
