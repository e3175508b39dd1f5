import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { Registry } from 'prom-client'
import { keyHash } from '../../../api-server/accounts/secrets.ts'
import { migrate } from '../../../common/database/migration/migrate.ts'
import { createPool } from '../../../common/database/connection/pool.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import { systemClock, systemEffects } from '../../../common/runtime/system-effects.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { Postgres } from '../../../e2e/cluster/servers/postgres.ts'

const migrations = new URL('../../../common/database/migrations/', import.meta.url)
export const apiKey = 'key-of-the-benchmark'
export const accountId = '01970000-0000-7000-8000-000000000001'

/** Commands with a resource in the cluster that have not ended: the most that the chart's default allows. */
export const liveCommands = 1_000

/** Rows of one statement. */
const chunk = 50_000

/**
 * A database in which one account has so many commands and as many files, in an order of the heap that
 * is not the order of the list. Kept for the next run, as long as the schema stays the same.
 */
export async function databaseWithRows(
  postgres: Postgres,
  { rows, say }: { readonly rows: number; readonly say: Say },
): Promise<string> {
  const url = await postgres.createDatabase(`bench_${rows}_${await schemaHash()}`)
  const database = createPool({
    connectionString: url,
    maxConnections: 2,
    applicationName: 'bench',
    statementTimeoutMs: 600_000,
    clock: systemClock,
    registry: new Registry(),
  })
  try {
    await migrate({ connectionString: url, effects: systemEffects() })
    await fill(database, rows, say)
  } finally {
    await database.close()
  }
  return url
}

async function fill({ query }: Database, rows: number, say: Say): Promise<void> {
  const [done] = await query('done', `select to_regclass('bench_filled') is not null as done`)
  if (done?.['done'] === true) return
  await query('begin', 'truncate accounts cascade')
  await query('begin', 'drop table if exists peer_commands')
  await query('begin', peerTable)
  await query(
    'account',
    `insert into accounts (account_id, name, plan) values ('${accountId}', 'bench', 'unlimited')`,
  )
  await query('key', 'insert into api_keys (account_id, sha256) values ($1, $2)', [
    accountId,
    keyHash(apiKey),
  ])
  // Triggers count usage, which takes longer than the rows.
  for (const table of ['commands', 'files']) {
    await query('triggers', `alter table ${table} disable trigger user`)
  }
  for (let from = 0; from < rows; from += chunk) {
    if (from % 100_000 === 0) say(`rows ${from} of ${rows} (a million takes 2 to 4 minutes)`)
    const values = [from, Math.min(rows, from + chunk) - 1]
    await query('commands', commands, values)
    await query('files', files, values)
    await query('peers', peers, values)
  }
  for (const table of ['commands', 'files']) {
    await query('triggers', `alter table ${table} enable trigger user`)
  }
  for (const table of ['commands', 'files', 'peer_commands']) {
    await query('vacuum', `vacuum analyze ${table}`)
  }
  await query('done', 'create table bench_filled ()')
}

// Seconds ago, scattered by a multiplication, so that rows beside each other in the heap are far apart in the list.
const place = '((i::bigint * 7919) % 1000003)'
const createdAt = `timestamptz '2026-01-01' + make_interval(secs => ${place})`

/**
 * Two of three succeeded, one of a thousand failed, the others wait: as many with a resource in the cluster as the
 * chart's default allows, so that dispatch has no room for those behind them.
 */
const commands = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, metadata, vcpu_count,
    max_run_seconds, is_private, steps, created_at, status, attempts, attempt, round, admitted_at,
    started_at, finished_at, processing_bytes, error_status, error_message, progress_percent,
    dispatched_at, resource_deleted_at, released_at
  )
  select gen_random_uuid(), '${accountId}', 'FFMPEG_COMMAND',
    '{"commands":["-i {{in_1}} {{out_1}}"],"inputFiles":{"in_1":"https://media.example/a.mp4"},"inputCompressedFolder":null,"outputFiles":{"out_1":"o.mp4"}}',
    '{"ffmpeg_command":"-i {{in_1}} {{out_1}}"}', '{"order":17}', 4, 300, false,
    '[{"index":0,"status":"QUEUED","progress_percent":null,"ffmpeg_command_run_seconds":null,"exit_code":null}]',
    ${createdAt}, status, 1, 'pod', 1, now(), now(),
    case when status <> 'QUEUED' then now() end, case when status <> 'QUEUED' then 1048576 end,
    case when status = 'FAILED' then 'FFMPEG_FAILED' end,
    case when status = 'FAILED' then 'FFmpeg ended with exit code 187' end,
    case when status = 'SUCCESS' then 100 end,
    case when status <> 'QUEUED' or i < 3 * ${liveCommands} then now() end, now(),
    case when status <> 'QUEUED' then now() end
  from generate_series($1::integer, $2::integer) i, lateral (
    select case when i % 1000 = 7 then 'FAILED' when i % 3 = 0 then 'QUEUED' else 'SUCCESS' end
      as status
  ) s`

const files = `
  insert into files (
    file_id, account_id, store_type, status, original_file_url, key, size_bytes, is_private, media,
    created_at
  )
  select id, '${accountId}', 'STORED_FILE', case when i % 3 = 0 then 'UPLOADED' else 'STORED' end,
    'https://media.example/clip.mov', 'public/' || id, 1048576, false,
    '{"file_type":"video","file_format":"mp4"}', ${createdAt}
  from (
    select i, gen_random_uuid() as id from generate_series($1::integer, $2::integer) i
  ) s`

/** The table as a service with this one table would make it. */
const peerTable = `
  create table peer_commands (
    command_id uuid primary key, account_id uuid not null, request json not null,
    status text not null default 'QUEUED', created_at timestamptz not null default now()
  );
  create index on peer_commands (account_id, created_at desc, command_id desc)`
const peers = `
  insert into peer_commands (command_id, account_id, request, created_at)
  select gen_random_uuid(), '${accountId}', '{"ffmpeg_command":"-i {{in_1}} {{out_1}}"}', ${createdAt}
  from generate_series($1::integer, $2::integer) i`

async function schemaHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(migrations)).toSorted()) {
    hash.update(await readFile(new URL(name, migrations)))
  }
  hash.update(await readFile(new URL(import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}

/** One connection for the benchmark's own statements. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
