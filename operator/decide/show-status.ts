import { jobName } from '../../common/domain/resource-names.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { Action } from './actions.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import { clocksFor } from '../resources/clocks.ts'
import type { Situation } from './snapshot.ts'
import { workStatusFor } from '../status/file-state.ts'
import type { Reason } from '../status/reason.ts'

/**
 * Writes the row's present state to the status of its resource.
 * @param waiting why nothing runs, if nothing runs
 */
export function showStatus(
  { now, settings }: Situation,
  command: CommandFacts,
  row: ReconcileRow,
  waiting: Reason,
): Action[] {
  const status = workStatusFor(row, {
    generation: command.generation,
    shown: command.shown,
    now,
    clocks: clocksFor(row, settings.runner),
    jobName: row.round === 0 ? null : jobName(row.commandId, row.round, command.kind),
    waiting,
    publicBaseUrl: settings.publicBaseUrl,
  })
  return [{ kind: 'showStatus', command, status, version: row.version }]
}
