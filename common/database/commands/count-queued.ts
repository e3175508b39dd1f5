import type { QueueAnchor } from '../../store/command-states.ts'
import type { Query } from '../query.ts'

/** Locks nothing; reads the index of waiting rows between the two. */
export async function countQueued(
  query: Query,
  range: { accountId: string; after: QueueAnchor | null; commandId: string },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    'count_queued',
    `select count(*)::integer as count
     from commands c join commands q on q.account_id = c.account_id
     where c.account_id = $1 and c.command_id = $2
       and q.admitted_at is null and q.finished_at is null and q.vcpu_count > 0
       and (q.created_at, q.command_id) > (coalesce($3::timestamptz, '-infinity'), $4::uuid)
       and (q.created_at, q.command_id) <= (c.created_at, c.command_id)`,
    [
      range.accountId,
      range.commandId,
      range.after?.createdAt.toISOString() ?? null,
      range.after?.commandId ?? '00000000-0000-0000-0000-000000000000',
    ],
  )
  return row?.count ?? 0
}
