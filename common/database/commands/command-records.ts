import { pageOfList } from '../lists/page-of-list.ts'
import { fileColumns, lifecycleColumns, submissionColumns } from './command-columns.ts'
import { joinQueueFacts, queueColumns } from './queue-position.ts'
import type { CommandStatus } from '../../domain/states.ts'
import type { CommandKey, CommandRecord, CommandSummary } from '../../store/commands.ts'
import type { StoredFile } from '../../store/files.ts'
import type { Query } from '../connection/query.ts'

/** Locks nothing. Two statements: the second is only for commands that have files. */
export async function findCommands(
  query: Query,
  keys: readonly CommandKey[],
): Promise<CommandRecord[]> {
  const rows = await query<CommandRow>('find_commands', findCommandsSql, [
    keys.map(({ accountId }) => accountId),
    keys.map(({ commandId }) => commandId),
  ])
  return withFiles(query, rows)
}

export type CommandRow = Omit<CommandRecord, 'files'>

export const resultColumns = `
  c.ffmpeg_run_seconds as "ffmpegRunSeconds", c.processing_bytes as "processingBytes",
  c.version, c.cancelled_by as "cancelledBy",
  (select json_build_object('prefix', k.prefix, 'label', k.label)
    from api_keys k where k.key_id = c.submitted_key_id) as "submittedBy"`

/**
 * The account of each command is part of its key: a batch holds keys of many accounts. The number of keys is hidden
 * from the planner, which else makes a plan for each of them: 1.4 ms in place of 0.04.
 */
export const findCommandsSql = `
  select ${submissionColumns}, ${lifecycleColumns}, ${queueColumns}, ${resultColumns}
  from unnest((select $1::uuid[]), (select $2::uuid[])) k (account_id, command_id)
  join commands c using (account_id, command_id) ${joinQueueFacts}
  where c.command_type <> 'STORED_FILE'`

/** Adds the files of all rows by one statement. */
export async function withFiles(
  query: Query,
  rows: readonly CommandRow[],
): Promise<CommandRecord[]> {
  const done = rows.filter((row) => row.status === 'SUCCESS').map((row) => row.commandId)
  const files =
    done.length === 0
      ? []
      : await query<StoredFile>(
          'find_files',
          `select ${fileColumns} from files f
           where f.command_id = any($1::uuid[]) order by f.command_id, f.position`,
          [done],
        )
  const byCommand = Map.groupBy(files, (file) => file.commandId)
  return rows.map((row) => ({ ...row, files: byCommand.get(row.commandId) ?? [] }))
}

interface List {
  readonly accountId: string
  readonly status: CommandStatus | null
  readonly limit: number
  readonly offset: number
}

/** Locks nothing. Reads the index up to the end of the page, and the rows of the page. */
export function listCommands(query: Query, list: List): Promise<CommandSummary[]> {
  const { accountId, status, limit, offset } = list
  const name = `list_commands_${status ?? 'all'}`
  return query(name, listed(status), [accountId, limit, offset])
}

/** The status of a running command is in no index, since progress changes it; they are few. */
function listed(status: CommandStatus | null): string {
  const isRunning = status === 'PROCESSING' || status === 'PREPARED_FFMPEG_COMMAND'
  const ofStatus = isRunning
    ? ` and list_status = 'RUNNING' and status = '${status}'`
    : ` and list_status = '${status}'`
  const page = pageOfList({
    table: 'commands',
    id: 'command_id',
    condition: `command_type <> 'STORED_FILE'${status === null ? '' : ofStatus}`,
  })
  return `with ${page} ${summaries}`
}

export const summaries = `
  select c.command_id as "commandId", c.environment_name as "environmentName",
    c.command_type as "commandType", c.metadata, c.status, c.error_status as "errorStatus",
    c.error_message as "errorMessage", c.created_at as "createdAt",
    c.finished_at as "finishedAt", c.processing_bytes as "processingBytes",
    coalesce(f.stored, 0) as "storedBytes", coalesce(f.count, 0) as "outputCount"
  from page c left join lateral (
    select count(*),
      (sum(coalesce(compressed_bytes, size_bytes)) filter (where deleted_at is null))::bigint as stored
    from files where files.command_id = c.command_id
  ) f on c.status = 'SUCCESS'
  order by c.created_at desc, c.command_id desc`
