import pg from 'pg'
import type { WarmRunnerStore } from '../../store/warm-runners.ts'
import type { Database } from '../connection/query.ts'
import { attemptBegins, fileFetches } from './claim-attempt.ts'
import { findForReconcile } from './reconcile-rows.ts'

const uniqueViolation = '23505'

export function warmRunners({ query }: Database): WarmRunnerStore {
  return {
    /**
     * Locks the row, as a claim does. The unique indexes of `attempts` refuse a pod or a Job that was given
     * a command before, and with it the change of the row. The second statement reads the result without
     * a lock: a repeated call finds that it was done.
     */
    async bindWarmRunner({ commandId, podUid, warmRunnerJob, waitedSeconds }) {
      try {
        await query(
          'bind_standby',
          `with claimed as (
             update commands set ${attemptBegins('$2')}
             where command_id = $1 and round = 1 and attempt is null and finished_at is null
               and not cancel_requested and lost_attempts = '{}'
             returning command_id, round, command_type
           ), ${fileFetches}
           insert into attempts (command_id, attempt, round, standby_job, waited_seconds)
           select command_id, $2, round, $3, $4 from claimed`,
          [commandId, podUid, warmRunnerJob, waitedSeconds],
        )
      } catch (error) {
        if (isTaken(error)) return { kind: 'taken' }
        throw error
      }
      const row = await findForReconcile(query, commandId)
      return row?.attempt === podUid ? { kind: 'bound', row } : { kind: 'not-waiting' }
    },

    /** Locks nothing. */
    async findBound(podUid) {
      const [bound] = await query<{ commandId: string; jobGeneration: number }>(
        'find_bound',
        `select command_id as "commandId", round as "jobGeneration" from attempts
         where attempt = $1 and standby_job is not null`,
        [podUid],
      )
      return bound ?? null
    },

    /** Locks nothing. */
    boundWarmRunners(jobNames) {
      return query(
        'bound_standbys',
        `select a.standby_job as "warmRunnerJob", a.attempt as "podUid", a.command_id as "commandId",
           c.attempt is not distinct from a.attempt and c.finished_at is null as "isLive"
         from attempts a join commands c using (command_id)
         where a.standby_job = any ($1::text[])
         order by a.standby_job`,
        [jobNames],
      )
    },

    /** Locks nothing; reads the claims of ten minutes, and the newest one, by their index. */
    async warmRunnerDemand({ vcpuCount, coldPlans }) {
      const [demand] = await query<{ most: number; idleSeconds: number | null }>(
        'standby_demand',
        `with windows as (
           select count(*) over (
             order by a.claimed_at range between interval '5 seconds' preceding and current row
           ) as claims
           from ${eligible} and a.claimed_at > now() - interval '10 minutes'
         ), newest as (
           select a.claimed_at from ${eligible} and a.claimed_at > now() - interval '1 hour'
           order by a.claimed_at desc limit 1
         )
         select (select coalesce(max(claims), 0)::integer from windows) as most,
           (select extract(epoch from now() - claimed_at)::double precision from newest)
             as "idleSeconds"`,
        [vcpuCount, coldPlans],
      )
      if (demand === undefined) throw new Error('an aggregate returned no row')
      return demand
    },
  }
}

/** First attempts at commands that a warm runner could have had; a condition on the time must follow. */
const eligible = `attempts a
    join commands c on c.command_id = a.command_id join accounts o on o.account_id = c.account_id
  where a.round = 1 and c.vcpu_count <= $1 and o.plan <> all ($2::text[])`

function isTaken(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === uniqueViolation &&
    error.constraint?.startsWith('attempts_of_standby_') === true
  )
}
