import { failures } from '../../../common/domain/failures.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import type { Runner } from '../identity/runner-identity.ts'
import { ok, superseded } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'

/**
 * Commits what the current attempt reports, and answers with what is recorded then.
 * @param onCommitted is called if this call has ended the command
 */
export async function commitReport(
  { store, effects, notify, logger }: GatewayDeps,
  { commandId, podUid, jobGeneration }: Runner,
  commit: OutcomeCommit,
  onCommitted: () => void = () => undefined,
): Promise<GatewayResponse> {
  const committed = await effects.failpoint('gateway.outcome_committed', () =>
    store.commitOutcome(commit),
  )
  if (committed.kind === 'superseded') return superseded
  if (committed.kind === 'final') return recorded(committed)
  onCommitted()
  notify(commandId)
  const { status, ...rest } = commit.outcome
  const errorStatus = 'errorStatus' in rest ? rest.errorStatus : null
  logger.info('ended', {
    command_id: commandId,
    attempt: podUid,
    round: jobGeneration,
    status,
    error_status: errorStatus,
    fault: errorStatus === null ? null : failures[errorStatus].fault,
  })
  return recorded({ status, errorStatus })
}

/** The answer to a report whose command has an end. */
export function recorded({ status, errorStatus }: { status: string; errorStatus: string | null }) {
  return ok({ kind: 'recorded', status, errorStatus })
}
