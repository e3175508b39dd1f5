/**
 * An expression: whether a part of the service, or the account's queue, is paused. The table has a
 * handful of rows, so no index serves it.
 * @param accountId an expression; absent: only `what` counts
 */
export function isPaused(what: string, accountId?: string): string {
  const ofAccount = accountId === undefined ? '' : ` or p.account_id = ${accountId}`
  return `exists (select from pauses p where p.what = '${what}'${ofAccount})`
}

/** Reason why a command `c` without custom resource waits; null if it has one. */
export const dispatchWait = `case
    when c.dispatched_at is not null then null
    when ${isPaused('dispatch', 'c.account_id')} then 'PAUSED'
    else 'DISPATCH'
  end`
