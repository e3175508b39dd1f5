import type { Client } from 'pg'
import type { Say } from '../../../local-cluster/host/progress.ts'
import { liveCommands } from './start-servers.ts'

const chunk = 50_000

/** Commands and files of the only account, in an order of the heap that is not that of the list. */
export async function fillRows(client: Client, rows: number, say: Say): Promise<void> {
  await client.query('create table peer_commands (command_id uuid primary key, request json)')
  for (let from = 0; from < rows; from += chunk) {
    if (from % 100_000 === 0) say(`rows ${from} of ${rows} (a million takes 3 to 5 minutes)`)
    for (const text of [commands, files]) await client.query(text, [from, from + chunk - 1])
  }
  await client.query('vacuum analyze')
}

// Scattered by a multiplication, so that rows beside each other in the heap are far apart in the list.
const createdAt = `timestamptz '2026-01-01' + make_interval(secs => (i::bigint * 7919) % 1000003)`

/** The first ones run and have a resource in the cluster, all others have ended. */
const commands = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, metadata, vcpu_count,
    max_run_seconds, is_private, steps, created_at, status, stage, attempts, attempt, round, admitted_at,
    started_at, finished_at, progress_percent, processing_bytes, dispatched_at, resource_deleted_at,
    released_at
  )
  select gen_random_uuid(), account_id, 'FFMPEG_COMMAND',
    '{"commands":["-i {{in_1}} {{out_1}}"],"inputFiles":{"in_1":"https://media.example/a.mp4"},"inputCompressedFolder":null,"outputFiles":{"out_1":"o.mp4"}}',
    '{"ffmpeg_command":"-i {{in_1}} {{out_1}}"}', '{"order":17}', 4, 300, false,
    '[{"index":0,"status":"QUEUED","progress_percent":null,"ffmpeg_command_run_seconds":null,"exit_code":null}]',
    ${createdAt}, case when runs then 'PROCESSING' else 'SUCCESS' end,
    case when runs then 'FFMPEG_PROCESSING' end, 1, 'pod', 1, now(), now(),
    ended, case when runs then 1 else 100 end, 1048576, now(), ended, ended
  from accounts, generate_series($1::integer, $2::integer) i,
    lateral (select i < ${liveCommands} as runs) r,
    lateral (select case when not runs then now() end as ended) e`

const files = `
  insert into files (
    file_id, account_id, store_type, status, original_file_url, key, size_bytes, is_private, media, created_at
  )
  select gen_random_uuid(), account_id, 'STORED_FILE', 'STORED', 'https://media.example/clip.mov',
    'public/' || gen_random_uuid(), 1048576, false, '{"file_type":"video","file_format":"mp4"}', ${createdAt}
  from accounts, generate_series($1::integer, $2::integer) i`
