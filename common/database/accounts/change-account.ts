import type { AccountChange } from '../../store/accounts.ts'
import type { Query } from '../query.ts'

/** One row; waits while commands of the account are admitted, which takes a moment. */
export async function changeAccount(
  query: Query,
  accountId: string,
  change: AccountChange,
): Promise<void> {
  const { plan, suspended, defaultOutputTtlSeconds } = change
  await query(
    'change_account',
    `update accounts set
       plan = coalesce($2, plan),
       suspended = coalesce($3, suspended),
       default_output_ttl_seconds = case when $4 then $5 else default_output_ttl_seconds end
     where account_id = $1`,
    [
      ...[accountId, plan ?? null, suspended ?? null],
      ...[defaultOutputTtlSeconds !== undefined, defaultOutputTtlSeconds ?? null],
    ],
  )
}
