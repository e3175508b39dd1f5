import { attemptPrefix } from '../../domain/storage-keys.ts'
import { sweptAgainSeconds } from '../../store/attempts.ts'
import { postponed, sweepBacklog } from '../sweeps/sweep-backlog.ts'
import type { AttemptStore, Upload } from '../../store/attempts.ts'
import type { Database } from '../connection/query.ts'

/** Multipart uploads of attempts, and the sweep of what lost attempts stored. */
export function attemptObjects({
  query,
}: Database): Pick<
  AttemptStore,
  | 'recordUpload'
  | 'findUpload'
  | 'forgetUpload'
  | 'findSweepable'
  | 'markSwept'
  | 'postponeSweep'
  | 'sweepBacklog'
> {
  return {
    /** Locks no existing row. */
    async recordUpload(upload) {
      await query(
        'record_upload',
        `insert into uploads (upload_id, command_id, attempt, key) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [upload.uploadId, upload.commandId, upload.attempt, upload.key],
      )
    },

    /** Locks nothing. */
    async findUpload(attempt, key) {
      const [upload] = await query<Upload>(
        'find_upload',
        `select command_id as "commandId", attempt, key, upload_id as "uploadId"
         from uploads where attempt = $1 and key = $2 order by created_at desc, upload_id limit 1`,
        [attempt, key],
      )
      return upload ?? null
    },

    /** Locks the row it deletes. */
    async forgetUpload(uploadId) {
      await query('forget_upload', 'delete from uploads where upload_id = $1', [uploadId])
    },

    /**
     * Locks nothing: the sweep is idempotent. For a stored file that was deleted while it was
     * downloaded, the objects of the winning attempt are swept too.
     */
    async findSweepable(sweep) {
      const rows = await query<{
        commandId: string
        accountId: string
        isPrivate: boolean
        attempt: string
        won: boolean
        uploads: Upload[]
      }>('find_sweepable', findSweepableSql, [sweep.olderThanSeconds, sweep.limit])
      return rows.map(({ commandId, accountId, isPrivate, attempt, won, uploads }) => {
        const visibility = isPrivate ? 'private' : 'public'
        const prefix = attemptPrefix({ visibility, accountId, commandId, attempt })
        return { commandId, accountId, attempt, prefix: won ? null : prefix, uploads }
      })
    },

    /**
     * Locks the attempt's row and the rows of its uploads, which the sweep has aborted. A lost attempt is
     * due once more a day later: the answer of the object store to a request of its pod may have come
     * after the first sweep.
     */
    async markSwept(commandId, attempt) {
      await query(
        'mark_swept',
        `with swept as (
           update attempts set first_swept_at = coalesce(first_swept_at, now()),
             swept_at = case when ${isSweptAgain} then null else now() end,
             sweep_from = case when ${isSweptAgain} then now() + make_interval(secs => ${sweptAgainSeconds})
               else sweep_from end,
             sweep_retry_at = null, sweep_tries = 0
           where command_id = $1 and attempt = $2 and swept_at is null returning attempt
         )
         delete from uploads where command_id = $1 and attempt in (select attempt from swept)`,
        [commandId, attempt],
      )
    },

    /** Locks the attempt's row. */
    async postponeSweep(commandId, attempt) {
      await query(
        'postpone_sweep',
        `update attempts set ${postponed}
         where command_id = $1 and attempt = $2 and sweep_from is not null and swept_at is null`,
        [commandId, attempt],
      )
    },

    /** Locks nothing; reads the index of attempts that are not swept. */
    sweepBacklog({ olderThanSeconds }) {
      const rows =
        'sweep_from + make_interval(secs => $1) as due_at from attempts where swept_at is null'
      return sweepBacklog(
        query,
        {
          name: 'sweep_backlog',
          fresh: `${rows} and sweep_retry_at is null
            and sweep_from <= now() - make_interval(secs => $1)
            order by sweep_retry_at, sweep_from`,
          failing: `${rows} and sweep_retry_at is not null and sweep_from is not null`,
        },
        [olderThanSeconds],
      )
    },
  }
}

const isSweptAgain = 'lost_at is not null and first_swept_at is null'

/** The sort is that of the index: a page costs its own rows, however many there are. */
function dueAttempts(condition: string): string {
  return `(
    select command_id, attempt, sweep_retry_at, sweep_from from attempts
    where sweep_from is not null and swept_at is null and ${condition}
    order by sweep_retry_at, sweep_from limit $2
  )`
}

/** $1 is the age in seconds from which an attempt that never failed is due, $2 the limit. */
export const findSweepableSql = `with due as (
           ${dueAttempts('sweep_retry_at is null and sweep_from <= now() - make_interval(secs => $1)')}
           union all
           ${dueAttempts('sweep_retry_at <= now()')}
         )
         select c.command_id as "commandId", c.account_id as "accountId",
           c.is_private as "isPrivate", a.attempt,
           c.status = 'SUCCESS' and c.attempt = a.attempt and not exists (
             select from files f where f.file_id = c.command_id and f.deleted_at is not null
           ) as won,
           coalesce((
             select jsonb_agg(jsonb_build_object(
               'commandId', u.command_id, 'attempt', u.attempt, 'key', u.key, 'uploadId', u.upload_id
             ) order by u.created_at, u.upload_id)
             from uploads u where u.attempt = a.attempt
           ), '[]') as uploads
         from due a join commands c using (command_id)
         order by coalesce(a.sweep_retry_at, a.sweep_from + make_interval(secs => $1)), a.attempt
         limit $2`
