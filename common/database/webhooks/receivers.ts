import { backoffFailures, backoffSeconds } from '../../store/webhooks.ts'
import { isDue } from './claim-due.ts'

/** Every due delivery is looked for earlier than this by the schedule itself. */
const overdueSeconds = 10
const forgottenPerRun = 1_000

/**
 * Counts failures of the receiver of `recorded`. A success of a healthy receiver takes no lock; one after
 * failures ends the backoff at once.
 * @param of SQL of the delivery's new status, and of whether the request was sent
 */
export function countFailures(of: { status: string; sent: string }): string {
  const isDelivered = `${of.status} = 'DELIVERED'`
  // The exponent is limited because a large power overflows.
  const notBefore = `case when r.failures + 1 < ${backoffFailures} then r.not_before
    else now() + make_interval(secs => least(${backoffSeconds.longest},
      ${backoffSeconds.first} * 2 ^ least(r.failures + 1 - ${backoffFailures}, 20))) end`
  return `
    update webhook_receivers r set
      failures = case when ${isDelivered} then 0 else r.failures + 1 end,
      not_before = case when ${isDelivered} then '-infinity' else ${notBefore} end,
      next_due = case when ${isDelivered} then now() else greatest(r.next_due, ${notBefore}) end,
      idle_since = case when ${isDelivered} then null else r.idle_since end
    from recorded
    where r.account_id = recorded.account_id and r.receiver = recorded.receiver
      and ${of.sent}::boolean and (not ${isDelivered} or r.failures > 0)`
}

/** Returns a row for each receiver that it schedules. */
export const rearm = `
  with recursive receivers as (
    (
      select account_id, receiver from webhook_deliveries
      where status = 'PENDING' order by account_id, receiver limit 1
    )
    union all
    select following.account_id, following.receiver
    from receivers r, lateral (
      select d.account_id, d.receiver from webhook_deliveries d
      where d.status = 'PENDING' and (d.account_id, d.receiver) > (r.account_id, r.receiver)
      order by d.account_id, d.receiver limit 1
    ) following
  ), lost as (
    select p.account_id, p.receiver
    from receivers p left join webhook_receivers r using (account_id, receiver)
    where (
        r.account_id is null
        or r.next_due > greatest(now(), r.not_before) + interval '${overdueSeconds} seconds'
      ) and exists (
        select from webhook_deliveries d
        where d.account_id = p.account_id and d.receiver = p.receiver and ${isDue}
      )
  ), forgotten as (
    delete from webhook_receivers where (account_id, receiver) in (
      select r.account_id, r.receiver from webhook_receivers r
      where r.idle_since < now() - interval '1 day' and not exists (
        select from webhook_deliveries d
        where d.account_id = r.account_id and d.receiver = r.receiver and d.status = 'PENDING'
      )
      order by r.idle_since limit ${forgottenPerRun} for update skip locked
    )
  )
  insert into webhook_receivers (account_id, receiver, next_due)
  select account_id, receiver, now() from lost order by account_id, receiver
  on conflict (account_id, receiver) do update
    set next_due = now(), empty_looks = 0, idle_since = null
  returning receiver`
