import type { ErrorStatus } from '../../domain/failures.ts'
import type { LostAttempt } from '../../store/reconcile.ts'
import { marksOfLast } from '../commands/timelines.ts'
import { commitOutcome } from './commit-outcome.ts'
import { lossOf } from './loss.ts'
import type { LossRow } from './loss.ts'
import type { EndedAttempt, LifecycleObserver } from '../../store/lifecycle/observer.ts'
import type { Database } from '../connection/query.ts'

/**
 * Locks the row from reading it to fencing the attempt: whether this loss is the last one allowed
 * depends on those before it. If it is, the same transaction ends the command by the statement of
 * all other outcomes.
 */
export async function loseAttempt(
  database: Database,
  lost: LostAttempt,
  observer: LifecycleObserver,
): Promise<{ jobGeneration: number } | { ended: ErrorStatus } | null> {
  const observed: (() => void)[] = []
  const result = await database.transaction(async (query) => {
    const [row] = await query<LossRow & Pick<EndedAttempt, 'marks'>>(
      'lose_attempt_lock',
      `select round as "jobGeneration", attempt, finished_at is not null as final, lost_attempts as "lostAttempts",
         loss_reasons as "lossReasons", charged_losses as "chargedLosses",
         ${marksOfLast} as marks
       from commands where command_id = $1 for no key update`,
      [lost.commandId],
    )
    const loss = row === undefined ? null : lossOf(row, lost)
    if (row === undefined || loss === null) return null
    const [fenced] = await query<Omit<EndedAttempt, 'marks'>>(
      'lose_attempt_fence',
      `update attempts set lost_at = now(), reason = $3, sweep_from = coalesce(sweep_from, now())
       where command_id = $1 and attempt = $2
       returning claimed_at as "claimedAt", lost_at as "endedAt"`,
      [lost.commandId, loss.podUid, lost.reason],
    )
    if (fenced !== undefined) {
      observed.push(() => observer.attemptLost({ ...fenced, marks: row.marks }))
    }
    await query(
      'lose_attempt',
      `update commands set
         attempt = null, round = $2, round_began_at = now(),
         lost_attempts = case when $3::text is null then lost_attempts else lost_attempts || $3 end,
         loss_reasons = loss_reasons || $4::text, charged_losses = charged_losses + $5::integer,
         version = version + 1, unmirrored_since = coalesce(unmirrored_since, now())
       where command_id = $1`,
      [lost.commandId, loss.jobGeneration, loss.podUid, lost.reason, lost.charged ? 1 : 0],
    )
    if (loss.end === null) return { jobGeneration: loss.jobGeneration }
    const commit = {
      commandId: lost.commandId,
      attempt: null,
      steps: null,
      usage: null,
      logs: [],
      outcome: { status: 'FAILED' as const, ...loss.end },
    }
    await commitOutcome(query, commit, {
      ended: (command, given) => void observed.push(() => observer.ended(command, given)),
    })
    return { ended: loss.end.errorStatus }
  })
  for (const observe of observed) observe()
  return result
}
