import type { ObjectOwner } from '../../domain/object-owner.ts'
import { postponed, sweepBacklog } from '../sweeps/sweep-backlog.ts'
import type {
  FoundOrphan,
  OrphanCount,
  RestoreCheckStore,
} from '../../store/administration/restore-check.ts'
import type { OrphanSweepStore } from '../../store/files.ts'
import type { Database, Query } from '../connection/query.ts'

/** How long objects without rows stay after they were found. */
export const orphanAge = `interval '7 days'`

/** Objects in the bucket that no row explains: found by the check after a restore, deleted by the operator. */
export function orphans({
  query,
}: Database): Pick<RestoreCheckStore, 'findOrphans' | 'recordOrphans' | 'countOrphans'> &
  OrphanSweepStore {
  return {
    /** Locks nothing; reads by primary keys. */
    async findOrphans(owners) {
      const found = await query<Omit<FoundOrphan, keyof ObjectOwner> & { whole: boolean }>(
        'find_orphans',
        findOrphansSql,
        keysOf(owners),
      )
      return found.flatMap(({ index, whole, ...orphan }) => {
        const owner = owners[index]
        return owner === undefined
          ? []
          : [{ ...owner, ...orphan, index, attempt: whole ? null : owner.attempt }]
      })
    },

    /** Locks the rows of orphans that were found before. */
    async recordOrphans(found) {
      await query(
        'record_orphans',
        `insert into orphans (account_id, owner_id, attempt, objects, bytes)
         select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[])
         on conflict (account_id, owner_id, attempt)
           do update set objects = excluded.objects, bytes = excluded.bytes`,
        [...keysOf(found), found.map(({ objects }) => objects), found.map(({ bytes }) => bytes)],
      )
    },

    /** Locks nothing; there are rows only after a restore. */
    async countOrphans(accountId) {
      const [count] = await query<OrphanCount>(
        'count_orphans',
        `select count(*)::integer as owners, coalesce(sum(objects), 0)::float8 as objects,
           coalesce(sum(bytes), 0)::float8 as bytes,
           count(*) filter (where sweep_retry_at is not null)::integer as failing
         from orphans where $1::uuid is null or account_id = $1`,
        [accountId],
      )
      return count ?? { owners: 0, objects: 0, bytes: 0, failing: 0 }
    },

    /** Locks nothing: the sweep is idempotent. */
    async findDueOrphans({ limit }) {
      return query<ObjectOwner>(
        'find_due_orphans',
        `select account_id as "accountId", owner_id as "ownerId", nullif(attempt, '') as attempt
         from orphans where ${isDue} and coalesce(sweep_retry_at <= now(), true)
         order by found_at, owner_id, attempt limit $1`,
        [limit],
      )
    },

    /** Locks the row it deletes. */
    forgetOrphan: (owner) =>
      change(query, 'forget_orphan', `delete from orphans where ${isThis}`, owner),

    /** Locks the row. */
    postponeOrphan: (owner) =>
      change(query, 'postpone_orphan', `update orphans set ${postponed} where ${isThis}`, owner),

    /** Locks nothing. */
    orphanBacklog() {
      const rows = `found_at + ${orphanAge} as due_at from orphans where ${isDue}`
      return sweepBacklog(
        query,
        {
          name: 'orphan_backlog',
          fresh: `${rows} and sweep_retry_at is null`,
          failing: `${rows} and sweep_retry_at is not null`,
        },
        [],
      )
    },
  }
}

const isDue = `found_at <= now() - ${orphanAge}`
const isThis = 'account_id = $1 and owner_id = $2 and attempt = $3'

async function change(
  query: Query,
  name: string,
  statement: string,
  { accountId, ownerId, attempt }: ObjectOwner,
): Promise<void> {
  await query(name, statement, [accountId, ownerId, attempt ?? ''])
}

function keysOf(owners: readonly ObjectOwner[]): [string[], string[], string[]] {
  return [
    owners.map(({ accountId }) => accountId),
    owners.map(({ ownerId }) => ownerId),
    owners.map(({ attempt }) => attempt ?? ''),
  ]
}

/**
 * An owner without a row is an orphan with all its objects. An attempt is one if its command has ended with another
 * attempt and does not know this one: the claim was lost with the commit. All other objects belong to a row and to
 * the sweep of that row: each attempt that a command knows, each file, deleted or not.
 */
const findOrphansSql = `
  select (o.place - 1)::integer as index, c.command_id is null as whole,
    coalesce(c.status = 'FAILED', false) as "hasFailed", known.found_at as "foundAt"
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality o (account_id, owner_id, attempt, place)
  left join commands c on c.command_id = o.owner_id and c.account_id = o.account_id
  left join files f on f.file_id = o.owner_id and f.account_id = o.account_id
  left join orphans known on known.account_id = o.account_id and known.owner_id = o.owner_id
    and known.attempt = case when c.command_id is null then '' else o.attempt end
  where f.file_id is null and (
    c.command_id is null
    or (
      o.attempt <> '' and c.finished_at is not null and c.attempt is distinct from o.attempt
      and not exists (
        select from attempts a where a.command_id = c.command_id and a.attempt = o.attempt
      )
    )
  )
  order by o.place`
