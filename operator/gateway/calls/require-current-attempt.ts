import { isFinal } from '../../../common/domain/states.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { Store } from '../../../common/store/store.ts'
import { final, superseded, unknownCommand } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { Runner } from '../identity/runner-identity.ts'

/**
 * The command, if this attempt holds it. A lost attempt that comes back must not get a URL: its
 * prefix is swept already, and a second sweep never runs.
 */
export async function heldCommand(
  store: Pick<Store, 'findForReconcile'>,
  runner: Runner,
): Promise<{ row: ReconcileRow } | { answer: GatewayResponse }> {
  const row = await store.findForReconcile(runner.commandId)
  if (row === null) return { answer: unknownCommand }
  if (isFinal(row.status)) return { answer: final(row) }
  return row.attempt === runner.podUid ? { row } : { answer: superseded }
}
