import { submissionColumns } from '../commands/command-columns.ts'
import { restoreOutcome } from './restore-outcome.ts'
import type { CommandWarning } from '../../domain/command-warnings.ts'
import type { Step } from '../../gateway/messages.ts'
import type { Work } from '../../store/commands.ts'
import type { NewFile } from '../../store/files.ts'
import type { ResultStore } from '../../store/attempts.ts'
import type { Database } from '../connection/query.ts'

type ResultRow = Work & {
  readonly attempt: string
  readonly round: number
  readonly attempts: number
  readonly steps: Step[]
  readonly ffmpegRunSeconds: number | null
  readonly processingBytes: number | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date
  readonly files: NewFile[]
  readonly warnings: readonly CommandWarning[]
}

/** Ends that are kept outside of the database, and the statements that record them again. */
export function recordedResults({
  query,
}: Database): Pick<ResultStore, 'findResult' | 'restoreOutcome'> {
  return {
    /** Locks nothing; reads the row and its files by their indexes. */
    async findResult(commandId) {
      const [row] = await query<ResultRow>('find_result', selectResult, [commandId])
      if (row === undefined) return null
      const { attempt, round, attempts, steps, ffmpegRunSeconds, processingBytes, ...rest } = row
      const { createdAt, startedAt, finishedAt, files, warnings, ...submission } = rest
      return {
        commandId,
        attempt,
        round,
        attempts,
        steps,
        ffmpegRunSeconds,
        submission,
        files,
        warnings,
        processingBytes: processingBytes ?? 0,
        createdAt: createdAt.toISOString(),
        startedAt: startedAt?.toISOString() ?? null,
        finishedAt: finishedAt.toISOString(),
      }
    },

    restoreOutcome: (shown) => restoreOutcome(query, shown),
  }
}

const selectResult = `
  select ${submissionColumns}, c.attempt, c.round, c.attempts, c.steps, c.warnings,
    c.ffmpeg_run_seconds as "ffmpegRunSeconds", c.processing_bytes as "processingBytes",
    c.created_at as "createdAt", c.started_at as "startedAt", c.finished_at as "finishedAt",
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'fileId', f.file_id, 'alias', coalesce(f.alias, ''), 'key', f.key,
        'sizeBytes', f.size_bytes, 'compressedBytes', f.compressed_bytes,
        'fileCount', f.file_count, 'media', f.media
      ) order by f.position)
      from files f
      where f.key is not null and (
        f.command_id = c.command_id
        or (f.file_id = c.command_id and c.command_type = 'STORED_FILE')
      )
    ), '[]') as files
  from commands c where c.command_id = $1 and c.status = 'SUCCESS'`
