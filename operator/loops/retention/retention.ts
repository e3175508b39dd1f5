import { namedPlan } from '../../../common/domain/plans.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import { effect } from '../../apply/apply-context.ts'
import { createAccountDeletion } from './delete-accounts.ts'
import type { DeletionDeps } from './delete-accounts.ts'
import { visitSteps } from './expire-account.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { DueAccount } from '../../../common/store/retention/retention.ts'
import type { ExpireDeps } from './expire-account.ts'
import type { RetentionMetrics } from './retention-metrics.ts'

export interface RetentionDeps extends ExpireDeps {
  readonly plans: Plans
  readonly metrics: RetentionMetrics
  /** True while the statements of this process are slow: requests come first. */
  readonly isSlow: () => boolean
  readonly logger: Logger
}

/** Deletes whole accounts first: their deletion has a deadline, and their records need no visit. */
export function createRetention(
  deps: RetentionDeps & DeletionDeps,
): (signal: AbortSignal) => Promise<void> {
  const deleteAccounts = createAccountDeletion(deps)
  const expireRecords = createExpiry(deps)
  return async (signal) => {
    await deleteAccounts(signal)
    await expireRecords(signal)
  }
}

const accountsPerPass = 50
const rowsPerPass = 5_000
/** An account without a row to read costs some statements too. */
const leastRows = 20
const postponedSeconds = 600

/**
 * Deletes what is older than the plan of its account keeps, a page of each due account in turn.
 * An account is visited once a day, and stays due until its visit is complete. All state is in rows: the
 * next pass, or another leader, goes on from there.
 */
function createExpiry(deps: RetentionDeps): (signal: AbortSignal) => Promise<void> {
  const { store, effects, logger, metrics, isSlow } = deps
  const eachAccount = createEachItem({ name: 'retention', clock: effects.clock, logger })
  return async (signal) => {
    const due = await store.findDueAccounts(accountsPerPass)
    metrics.oldestDue(Math.max(0, ...due.map(({ overdueSeconds }) => overdueSeconds)))
    const waiting = due.map((account) => visitOf(deps, account))
    let left = rowsPerPass
    function* turns() {
      while (left > 0 && !isSlow()) {
        const next = waiting.shift()
        if (next === undefined) return
        yield next
      }
    }
    await eachAccount.run(turns(), {
      async work(visit) {
        const { rows, more } = await visit.turn()
        left -= Math.max(rows, leastRows)
        if (more) waiting.push(visit)
        else await endVisit(deps, visit.accountId)
      },
      postpone: ({ accountId }) =>
        effect(deps, 'retention.visit_postponed', () =>
          store.postponeRetention(accountId, postponedSeconds),
        ),
      describe: ({ accountId }) => ({ account_id: accountId }),
      giveUpAfter: 5,
      signal,
    })
  }
}

function endVisit({ store, ...deps }: RetentionDeps, accountId: string): Promise<void> {
  return effect(deps, 'retention.visit_ended', () => store.endRetentionVisit(accountId))
}

function visitOf(deps: RetentionDeps, { accountId, plan }: DueAccount) {
  const steps = visitSteps(namedPlan(deps.plans, plan).retention)
  return {
    accountId,
    /** One page of the first step that is not done. */
    async turn(): Promise<{ rows: number; more: boolean }> {
      const [step] = steps
      if (step === undefined) return { rows: 0, more: false }
      const { rows, more } = await step(deps, accountId)
      if (!more) steps.shift()
      return { rows, more: steps.length > 0 }
    },
  }
}
