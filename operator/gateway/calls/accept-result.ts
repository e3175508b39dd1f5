import { failures } from '../../../common/domain/failures.ts'
import type { Result } from '../../../common/gateway/messages.ts'
import { isFinal } from '../../../common/domain/states.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import { outcomeFromResult } from '../../status/outcome-from-result.ts'
import { ok, superseded, unknownCommand } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Runner } from '../identity/runner-identity.ts'

/**
 * The commit point: once the store has answered, the command has ended, even if the runner, this
 * process or the reply is lost. A repeated report reads its own outcome back.
 */
export async function acceptResult(
  deps: GatewayDeps,
  runner: Runner,
  result: Result,
): Promise<GatewayResponse> {
  const { commandId, podUid } = runner
  const row = await deps.store.findForReconcile(commandId)
  if (row === null) return unknownCommand
  if (isFinal(row.status)) return recorded(row)
  if (row.attempt !== podUid) return superseded
  const outcome = outcomeFromResult(result, row, podUid, () => deps.effects.newId())
  const { steps, usage, logs } = result
  return commitReport(deps, runner, { commandId, attempt: podUid, outcome, steps, usage, logs })
}

/** Commits what the current attempt reports, and answers with what is recorded then. */
export async function commitReport(
  { store, effects, notify, logger }: GatewayDeps,
  { commandId, podUid, round }: Runner,
  commit: OutcomeCommit,
): Promise<GatewayResponse> {
  const committed = await effects.failpoint('gateway.outcome_committed', () =>
    store.commitOutcome(commit),
  )
  if (committed.kind === 'superseded') return superseded
  if (committed.kind === 'final') return recorded(committed)
  notify(commandId)
  const { status, ...rest } = commit.outcome
  const errorStatus = 'errorStatus' in rest ? rest.errorStatus : null
  logger.info('ended', {
    command_id: commandId,
    attempt: podUid,
    round,
    status,
    error_status: errorStatus,
    fault: errorStatus === null ? null : failures[errorStatus].fault,
  })
  return recorded({ status, errorStatus })
}

function recorded({ status, errorStatus }: { status: string; errorStatus: string | null }) {
  return ok({ kind: 'recorded', status, errorStatus })
}
