import type { CommandRecord } from '../../store/commands.ts'
import type { StoredFile } from '../../store/files.ts'
import {
  fileColumns,
  lifecycleColumns,
  nearQueuePosition,
  submissionColumns,
} from './command-columns.ts'
import type { Query } from '../query.ts'

/** Locks nothing. Two statements: the second is only for commands that have files. */
export async function findCommand(
  query: Query,
  accountId: string,
  commandId: string,
): Promise<CommandRecord | null> {
  const [row] = await query<CommandRow>(
    'find_command',
    `select ${submissionColumns}, ${lifecycleColumns}, ${nearQueuePosition}, ${resultColumns}
     from commands c
     where c.command_id = $2 and c.account_id = $1 and c.command_type <> 'STORED_FILE'`,
    [accountId, commandId],
  )
  if (row === undefined) return null
  const [record] = await withFiles(query, [row])
  return record ?? null
}

export type CommandRow = Omit<CommandRecord, 'files'>

export const resultColumns = `
  c.ffmpeg_run_seconds as "ffmpegRunSeconds", c.processing_bytes as "processingBytes",
  c.version`

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
