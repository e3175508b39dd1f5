import type { Difference, RecountStore, Unreleased } from '../../store/administration/recount.ts'
import type { Database } from '../connection/query.ts'

/** Timeout of the recount: an account may have millions of rows. */
const statementMs = 300_000

export function recount(database: Database): RecountStore {
  return {
    /** Locks nothing; reads all stored files and all unfinished commands of the account. */
    recount(accountId) {
      return database.transaction(
        (query) => query<Difference>('recount_bytes', bytes, [accountId]),
        { statementMs },
      )
    },

    /** Locks nothing; reads the rows that hold a Job. */
    findUnreleased(olderThanSeconds) {
      return database.query<Unreleased>(
        'find_unreleased',
        `select c.command_id as "commandId", a.name as account, c.vcpu_count as vcpus,
           c.finished_at as "finishedAt"
         from commands c join accounts a using (account_id)
         where c.admitted_at is not null and c.released_at is null
           and c.finished_at < now() - make_interval(secs => $1)
         order by c.finished_at`,
        [olderThanSeconds],
      )
    },
  }
}

/** $1 is the account. */
const bytes = `
  select what, kept, counted from (
    select 'stored bytes' as what, (
      select coalesce(sum(bytes), 0)::bigint from (
        select bytes from usage_totals where account_id = $1 and month is null
        union all
        select bytes from usage_changes where account_id = $1 and month is null
      ) kept
    ) as kept, (
      select coalesce(sum(coalesce(compressed_bytes, size_bytes)), 0)::bigint from files
      where account_id = $1 and deleted_at is null and status in ('UPLOADED', 'STORED')
    ) + (
      select coalesce(sum(size_bytes), 0)::bigint from upload_sessions where account_id = $1
    ) as counted
    union all
    select 'reserved bytes', (
      select coalesce(sum(bytes), 0)::bigint from (
        select bytes from reservations where account_id = $1
        union all
        select bytes from reservation_changes where account_id = $1
      ) kept
    ), (
      select coalesce(sum(reserved_bytes), 0)::bigint from commands
      where account_id = $1 and finished_at is null
    )
  ) figures where kept <> counted`
